import type { QueryClient } from '@tanstack/react-query'
import type { Queries } from './queries.ts'

/** Names of queries, which are those of the calls that they make. */
type QueryName = keyof Queries

/** Queries that a created or deleted dataset changes: lists, and references between datasets. */
const datasetQueries: readonly QueryName[] = [
  'datasetList',
  'datasetSearch',
  'itemSearch',
  'repoList',
  'viewList',
  'datasetGet',
  'datasetDiff',
  'datasetProvenance',
  'repoOfView',
]

/** Queries that a new item changes: items of its repository and of any view on it, and what it replaces. */
const itemQueries: readonly QueryName[] = [
  // Whether items were replaced stands there.
  'datasetGet',
  'datasetVersionList',
  'datasetReplacementList',
  'datasetItemList',
  'datasetCount',
  'datasetState',
  'datasetDiff',
  'datasetSearch',
  'itemSearch',
  'datasetSummary',
  'viewPreview',
]

/** Queries that a role depends on which was given or taken back. */
const grantQueries: readonly QueryName[] = ['grantList', 'datasetRole', 'datasetProvenance']

const tokenQueries: readonly QueryName[] = ['tokenList']

const linkQueries: readonly QueryName[] = ['linkList', 'datasetProvenance']

/** Queries that the beginning or end of an import changes; its items come on top. */
const importQueries: readonly QueryName[] = ['importList', 'datasetProvenance']

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

/** To be called after a role was given or taken back. */
export function grantsChanged(queryClient: QueryClient): Promise<void> {
  return invalidate(queryClient, grantQueries)
}

/** To be called after a token was created or revoked. */
export function tokensChanged(queryClient: QueryClient): Promise<void> {
  return invalidate(queryClient, tokenQueries)
}

/** To be called after a link to a dataset was created or revoked. */
export function linksChanged(queryClient: QueryClient): Promise<void> {
  return invalidate(queryClient, linkQueries)
}

/** To be called after an import began or ended. */
export function importsChanged(queryClient: QueryClient): Promise<void> {
  return invalidate(queryClient, importQueries)
}
