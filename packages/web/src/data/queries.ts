import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Client } from '@vitrine/client'
import {
  limits,
  type DatasetQuery,
  type Exploration,
  type FoundDataset,
  type ViewPreview,
} from '@vitrine/contract'
import { againMs, answerOf, untilWhole } from './answer.ts'
import { loadLabels } from './load-labels.ts'
import { createValueQueries } from './value-queries.ts'

const { pageSize } = limits

/** How often the list of imports is asked for while one of them is at work. */
const importFollowMs = 1000

/** How long to wait before a preview that is watched is asked to go on. */
const previewAgainMs = 250

/** Whether there is more to look at, of a server that goes on where it is asked again. */
function isPartOfPreview(preview: ViewPreview | undefined): boolean {
  return preview?.total !== undefined && preview.scanned < preview.total
}

function furtherPreview(before: unknown, after: unknown): unknown {
  const [known, next] = [before, after] as [ViewPreview | undefined, ViewPreview]
  return known !== undefined && isPartOfPreview(next) && next.scanned < known.scanned ? known : next
}

/** Which items are counted or summed up. */
type Filtered = Omit<Exploration, 'order'>

/** What a list of datasets asks for. */
export type AskedDatasets = Partial<Pick<DatasetQuery, 'q' | 'kind' | 'sort'>>

function isPartOfSearch(found: readonly FoundDataset[] | undefined): boolean {
  return found?.some(({ items }) => items.exact === false) === true
}

/**
 * One entry per reading call; its key begins with the call's name. A server that announces `partial` is
 * asked for parts, which screens show as parts and ask for again until they are whole.
 */
export function createQueries(client: Client, features: readonly string[]) {
  const loadLabel = loadLabels(client)
  const part = features.includes('partial') ? { partial: true } : {}
  return {
    ...createValueQueries(client, features),
    datasetList: (page: number) =>
      queryOptions({
        queryKey: ['datasetList', { page }],
        queryFn: ({ signal }) => client.datasetList({ page, pageSize }, { signal }),
      }),
    /** Views that are looking at their items are asked for again until they have. */
    datasetSearch: (asked: AskedDatasets, page: number) =>
      queryOptions({
        queryKey: ['datasetSearch', { page, ...asked }],
        queryFn: ({ signal }) => client.datasetSearch({ page, pageSize, ...asked }, { signal }),
        refetchInterval: ({ state: { data } }) => (isPartOfSearch(data) ? againMs : false),
      }),
    datasetGet: (datasetId: string) =>
      queryOptions({
        queryKey: ['datasetGet', { datasetId }],
        queryFn: ({ signal }) => client.datasetGet({ datasetId }, { signal }),
      }),
    datasetCount: (datasetId: string, asked: Filtered = {}) =>
      queryOptions({
        queryKey: ['datasetCount', { datasetId, ...asked }],
        queryFn: ({ signal }) =>
          answerOf(signal, (options) =>
            client.datasetCount({ datasetId, ...asked, ...part }, options),
          ),
        refetchInterval: untilWhole,
      }),
    datasetSummary: (datasetId: string, asked: Filtered = {}) =>
      queryOptions({
        queryKey: ['datasetSummary', { datasetId, ...asked }],
        queryFn: ({ signal }) =>
          answerOf(signal, (options) =>
            client.datasetSummary({ datasetId, ...asked, ...part }, options),
          ),
        refetchInterval: untilWhole,
      }),
    datasetGrowth: (datasetId: string) =>
      queryOptions({
        queryKey: ['datasetGrowth', { datasetId }],
        queryFn: ({ signal }) =>
          answerOf(signal, (options) => client.datasetGrowth({ datasetId, ...part }, options)),
        refetchInterval: untilWhole,
      }),
    datasetItemList: (datasetId: string, page: number, asked: Exploration = {}) =>
      queryOptions({
        queryKey: ['datasetItemList', { datasetId, page, ...asked }],
        queryFn: ({ signal }) =>
          answerOf(signal, (options) =>
            client.datasetItemList({ datasetId, page, pageSize, ...asked, ...part }, options),
          ),
        refetchInterval: untilWhole,
      }),
    datasetFirstItems: (datasetId: string, count: number) =>
      queryOptions({
        queryKey: ['datasetItemList', { datasetId, first: count }],
        queryFn: ({ signal }) =>
          client.datasetItemList({ datasetId, pageSize: count, ...part }, { signal }),
      }),
    datasetItemGet: (datasetId: string, itemId: string | number) =>
      queryOptions({
        queryKey: ['datasetItemGet', { datasetId, itemId: String(itemId) }],
        queryFn: ({ signal }) => client.datasetItemGet({ datasetId, itemId }, { signal }),
      }),
    datasetItemNeighbours: (datasetId: string, itemId: string, asked: Exploration) =>
      queryOptions({
        queryKey: ['datasetItemNeighbours', { datasetId, itemId, ...asked }],
        queryFn: ({ signal }) =>
          client.datasetItemNeighbours({ datasetId, itemId, ...asked }, { signal }),
      }),
    datasetLabel: (datasetId: string, itemId: number) =>
      queryOptions({
        queryKey: ['datasetLabel', { datasetId, itemId }],
        queryFn: () => loadLabel({ datasetId, itemId }),
        enabled: features.includes('labels'),
      }),
    repoList: (page: number) =>
      queryOptions({
        queryKey: ['repoList', { page }],
        queryFn: ({ signal }) => client.repoList({ page, pageSize }, { signal }),
      }),
    viewList: (page: number) =>
      queryOptions({
        queryKey: ['viewList', { page }],
        queryFn: ({ signal }) => client.viewList({ page, pageSize }, { signal }),
      }),
    firstViews: () =>
      queryOptions({
        queryKey: ['viewList', { first: limits.pageSizeMax }],
        queryFn: ({ signal }) => client.viewList({ pageSize: limits.pageSizeMax }, { signal }),
      }),
    importList: (datasetId: string) =>
      queryOptions({
        queryKey: ['importList', { datasetId }],
        queryFn: ({ signal }) => client.importList({ datasetId, page: 0, pageSize }, { signal }),
        refetchInterval: ({ state }) =>
          state.data?.some(({ state }) => state === 'checking' || state === 'publishing') === true
            ? importFollowMs
            : false,
      }),
    importReport: (datasetId: string, importKey: string) =>
      queryOptions({
        queryKey: ['importReport', { datasetId, importKey }],
        queryFn: async ({ signal }) => {
          const { readRefusals } = await import('./read-refusals.ts')
          return readRefusals(client, { datasetId, importKey }, signal)
        },
      }),
    viewPreview: (body: unknown) =>
      queryOptions({
        queryKey: ['viewPreview', { body }],
        queryFn: ({ signal }) => client.viewPreview({ body }, { signal }),
        refetchInterval: ({ state: { data, error } }) =>
          error === null && isPartOfPreview(data) ? previewAgainMs : false,
        // Another process may have looked at less.
        structuralSharing: (before, after) => furtherPreview(before, after),
      }),
  }
}
export type Queries = ReturnType<typeof createQueries>

type QueryName = keyof Queries

/** Queries that a created or deleted dataset changes: lists, and references between datasets. */
const datasetQueries: readonly QueryName[] = [
  'datasetList',
  'datasetSearch',
  'repoList',
  'viewList',
  'datasetGet',
]

/** Queries that a new item changes: items of its repository and of any view on it. */
const itemQueries: readonly QueryName[] = [
  'datasetItemList',
  'datasetCount',
  'datasetSearch',
  'datasetSummary',
  'viewPreview',
]

/** Queries that the beginning or end of an import changes; its items come on top. */
const importQueries: readonly QueryName[] = ['importList']

function invalidate(queryClient: QueryClient, names: readonly QueryName[]): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => names.some((name) => name === queryKey[0]),
  })
}

/** To be called after a dataset was created or deleted. */
export function datasetsChanged(queryClient: QueryClient): Promise<void> {
  return invalidate(queryClient, datasetQueries)
}

/** To be called after an item was added. */
export function itemsChanged(queryClient: QueryClient): Promise<void> {
  return invalidate(queryClient, itemQueries)
}

/** To be called after an import began or ended. */
export function importsChanged(queryClient: QueryClient): Promise<void> {
  return invalidate(queryClient, importQueries)
}
