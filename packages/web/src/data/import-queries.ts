import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Client } from '@vitrine/client'
import { limits, type ImportState } from '@vitrine/contract'

const { pageSize } = limits

/** How often the list of imports is asked for while one of them is at work. */
const importFollowMs = 1000

/** Queries of the imports of whoever is signed in. */
export function createImportQueries(client: Client) {
  return {
    importList: (datasetId: string) =>
      queryOptions({
        queryKey: ['importList', { datasetId }],
        queryFn: ({ signal }) => client.importList({ datasetId, page: 0, pageSize }, { signal }),
        refetchInterval: ({ state }) =>
          state.data?.some(({ state }) => state === 'checking' || state === 'publishing') === true
            ? importFollowMs
            : false,
      }),
    importDifference: (datasetId: string, { key: importKey, outcome }: ImportState) =>
      infiniteQueryOptions({
        queryKey: ['importDifference', { datasetId, importKey, outcome }],
        queryFn: ({ pageParam: page, signal }) =>
          client.importDifference({ datasetId, importKey, page, pageSize }, { signal }),
        initialPageParam: 0,
        getNextPageParam: (last, pages) => (last.length < pageSize ? undefined : pages.length),
      }),
    importReport: (datasetId: string, importKey: string) =>
      queryOptions({
        queryKey: ['importReport', { datasetId, importKey }],
        queryFn: async ({ signal }) => {
          const { readRefusals } = await import('./read-refusals.ts')
          return readRefusals(client, { datasetId, importKey }, signal)
        },
      }),
  }
}
