import type { QueryClient } from '@tanstack/react-query'
import { ApiError, type Client } from '@vitrine/client'
import type { DatasetLookup } from './suggest/suggest.ts'
import type { Queries } from '../data/queries.ts'

/** Pages of names that are looked up, the newest datasets first. */
const namePages = 10
const namesAPage = 100
const firstItems = 100

/** Looks datasets up through the query cache, so that typing asks the server once. */
export function createDatasetLookup(
  queryClient: QueryClient,
  client: Client,
  queries: Queries,
): DatasetLookup {
  /** Undefined when the server does not tell: then any name may be one. */
  const loadNames = () =>
    queryClient
      .fetchQuery({ queryKey: ['datasetList', 'names'], queryFn: () => datasetNames(client) })
      .catch(() => undefined)
  return {
    names: async () => (await loadNames()) ?? [],
    info: async (name) => {
      const names = await loadNames()
      const isComplete = names !== undefined && names.length < namePages * namesAPage
      if (isComplete && !names.includes(name)) return undefined
      return queryClient.fetchQuery(queries.datasetGet(name)).catch(undefinedIfMissing)
    },
    items: (name) =>
      queryClient.fetchQuery(queries.datasetFirstItems(name, firstItems)).catch(() => []),
  }
}

async function datasetNames(client: Client): Promise<string[]> {
  const names: string[] = []
  for (let page = 0; page < namePages; page += 1) {
    const entries = await client.datasetList({ page, pageSize: namesAPage })
    names.push(...entries.map(({ name }) => name))
    if (entries.length < namesAPage) break
  }
  return names
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 404) return undefined
  throw error
}
