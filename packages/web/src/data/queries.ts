import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { repoOfView, type Client } from '@vitrine/client'
import {
  limits,
  type AuditFilters,
  type DatasetQuery,
  type Exploration,
  type Feature,
  type FoundDataset,
  type ViewPreview,
} from '@vitrine/contract'
import { againMs, answerOf, untilWhole } from './answer.ts'
import { loadLabels } from './load-labels.ts'
import { datasetNameOf, namedState } from './named-state.ts'
import { createImportQueries } from './import-queries.ts'
import { createValueQueries } from './value-queries.ts'

const { pageSize } = limits

/** Entries of the audit log that are asked for at once. */
const auditPageSize = 50

/** How long to wait before a preview that is watched is asked to go on. */
const previewAgainMs = 250

/** Whether there is more to look at, of a server that goes on where it is asked again. */
function isPartOfPreview(preview: ViewPreview | undefined): boolean {
  return preview?.total !== undefined && preview.scanned < preview.total
}

function furtherPreview(before: unknown, after: unknown): unknown {
  const [current, next] = [before, after] as [ViewPreview | undefined, ViewPreview]
  return current !== undefined && isPartOfPreview(next) && next.scanned < current.scanned
    ? current
    : next
}

/** Filter of items that are counted or summarized. */
type Filtered = Omit<Exploration, 'order'>

/** How often items are looked for while there is no time for all. */
const itemSearchesMax = 10

/** Query of a list of datasets. */
export type DatasetFilter = Partial<Pick<DatasetQuery, 'q' | 'kind' | 'sort'>>

function isPartOfSearch(datasets: readonly FoundDataset[] | undefined): boolean {
  return datasets?.some(({ items }) => items.exact === false) === true
}

/**
 * One entry per reading call; its key begins with the call's name. A server that announces `partial` is
 * asked for parts, which screens show as parts and ask for again until they are whole; one that announces `cut`, for
 * the beginnings of long texts in lists.
 */
export function createQueries(client: Client, features: readonly Feature[]) {
  const loadLabel = loadLabels(client)
  const part = features.includes('partial') ? { partial: true } : {}
  const cut = features.includes('cut') ? { cut: limits.cut } : {}
  return {
    ...createValueQueries(client, features),
    ...createImportQueries(client),
    datasetList: (page: number) =>
      queryOptions({
        queryKey: ['datasetList', { page }],
        queryFn: ({ signal }) => client.datasetList({ page, pageSize }, { signal }),
      }),
    /** Views that are looking at their items are asked for again until they have. */
    datasetSearch: (query: DatasetFilter, page: number) =>
      queryOptions({
        queryKey: ['datasetSearch', { page, ...query }],
        queryFn: ({ signal }) => client.datasetSearch({ page, pageSize, ...query }, { signal }),
        refetchInterval: ({ state: { data } }) => (isPartOfSearch(data) ? againMs : false),
      }),
    /** Asked for again a few times where there was no time for all items, as the search index grows meanwhile. */
    itemSearch: (q: string) =>
      queryOptions({
        queryKey: ['itemSearch', { q }],
        queryFn: ({ signal }) => client.itemSearch({ q }, { signal }),
        enabled: features.includes('item-search') && q !== '',
        refetchInterval: ({ state: { data, dataUpdateCount } }) =>
          data?.exact === false && dataUpdateCount < itemSearchesMax ? againMs : false,
      }),
    datasetGet: (datasetId: string) =>
      queryOptions({
        queryKey: ['datasetGet', { datasetId }],
        queryFn: ({ signal }) => client.datasetGet(namedState(datasetId), { signal }),
      }),
    /** Name of the repository that has the items of a dataset. */
    repoOfView: (datasetId: string) =>
      queryOptions({
        queryKey: ['repoOfView', { datasetId }],
        queryFn: async ({ signal }) =>
          (await repoOfView(client, datasetNameOf(datasetId), { signal })).repo,
      }),
    datasetRole: (named: string) => {
      const { datasetId } = namedState(named)
      return queryOptions({
        queryKey: ['datasetRole', { datasetId }],
        queryFn: ({ signal }) => client.datasetRole({ datasetId }, { signal }),
        enabled: features.includes('roles'),
      })
    },
    grantList: (datasetId: string) =>
      queryOptions({
        queryKey: ['grantList', { datasetId }],
        queryFn: ({ signal }) =>
          client.grantList({ datasetId, pageSize: limits.pageSizeMax }, { signal }),
        enabled: features.includes('roles'),
      }),
    linkList: (datasetId: string) =>
      queryOptions({
        queryKey: ['linkList', { datasetId }],
        queryFn: ({ signal }) =>
          client.linkList({ datasetId, pageSize: limits.pageSizeMax }, { signal }),
      }),
    personList: (datasetId: string, q: string) =>
      queryOptions({
        queryKey: ['personList', { datasetId, q }],
        queryFn: ({ signal }) => client.personList({ datasetId, q, pageSize }, { signal }),
      }),
    groupList: (datasetId: string, q: string) =>
      queryOptions({
        queryKey: ['groupList', { datasetId, q }],
        queryFn: ({ signal }) => client.groupList({ datasetId, q, pageSize }, { signal }),
      }),
    /** How many items the repository of a dataset has, or when it had those of a state. */
    datasetState: (datasetId: string) =>
      queryOptions({
        queryKey: ['datasetState', { datasetId }],
        queryFn: ({ signal }) => client.datasetState(namedState(datasetId), { signal }),
        enabled: features.includes('states'),
      }),
    /** Differences from a state with so many items of the repository. */
    datasetDiff: (named: string, from: number, page: number) => {
      const { datasetId, at: to } = namedState(named)
      return queryOptions({
        queryKey: ['datasetDiff', { datasetId, from, to, page }],
        queryFn: ({ signal }) =>
          client.datasetDiff({ datasetId, from, to, page, pageSize, ...cut }, { signal }),
      })
    },
    logCheckpoint: (repo: string, size: number) =>
      queryOptions({
        queryKey: ['logCheckpoint', { repo, size }],
        queryFn: async ({ signal }) =>
          (await client.logCheckpoint({ datasetId: repo, size }, { signal })).text(),
        enabled: features.includes('log'),
        // Of a size it stays what it is.
        staleTime: Infinity,
      }),
    datasetCount: (datasetId: string, exploration: Filtered = {}) =>
      queryOptions({
        queryKey: ['datasetCount', { datasetId, ...exploration }],
        queryFn: ({ signal }) =>
          answerOf(signal, (options) =>
            client.datasetCount({ ...namedState(datasetId), ...exploration, ...part }, options),
          ),
        refetchInterval: untilWhole,
      }),
    datasetSummary: (datasetId: string, exploration: Filtered = {}) =>
      queryOptions({
        queryKey: ['datasetSummary', { datasetId, ...exploration }],
        queryFn: ({ signal }) =>
          answerOf(signal, (options) =>
            client.datasetSummary({ ...namedState(datasetId), ...exploration, ...part }, options),
          ),
        refetchInterval: untilWhole,
      }),
    datasetGrowth: (datasetId: string) =>
      queryOptions({
        queryKey: ['datasetGrowth', { datasetId }],
        queryFn: ({ signal }) =>
          answerOf(signal, (options) =>
            client.datasetGrowth({ ...namedState(datasetId), ...part }, options),
          ),
        refetchInterval: untilWhole,
      }),
    datasetItemList: (datasetId: string, page: number, exploration: Exploration = {}) =>
      queryOptions({
        queryKey: ['datasetItemList', { datasetId, page, ...exploration }],
        queryFn: ({ signal }) =>
          answerOf(signal, (options) =>
            client.datasetItemList(
              { ...namedState(datasetId), page, pageSize, ...exploration, ...part, ...cut },
              options,
            ),
          ),
        refetchInterval: untilWhole,
      }),
    datasetFirstItems: (datasetId: string, count: number) =>
      queryOptions({
        queryKey: ['datasetItemList', { datasetId, first: count }],
        queryFn: ({ signal }) =>
          client.datasetItemList(
            { ...namedState(datasetId), pageSize: count, ...part, ...cut },
            { signal },
          ),
      }),
    datasetItemGet: (datasetId: string, itemId: string | number) =>
      queryOptions({
        queryKey: ['datasetItemGet', { datasetId, itemId: String(itemId) }],
        queryFn: ({ signal }) =>
          client.datasetItemGet({ ...namedState(datasetId), itemId }, { signal }),
      }),
    datasetItemNeighbours: (datasetId: string, itemId: string, exploration: Exploration) =>
      queryOptions({
        queryKey: ['datasetItemNeighbours', { datasetId, itemId, ...exploration }],
        queryFn: ({ signal }) =>
          client.datasetItemNeighbours(
            { ...namedState(datasetId), itemId, ...exploration },
            { signal },
          ),
      }),
    datasetItemAuthor: (datasetId: string, itemId: string) =>
      queryOptions({
        queryKey: ['datasetItemAuthor', { datasetId, itemId }],
        queryFn: ({ signal }) =>
          client.datasetItemAuthor({ ...namedState(datasetId), itemId }, { signal }),
        enabled: features.includes('authors'),
      }),
    datasetVersionList: (datasetId: string, itemId: string) =>
      queryOptions({
        queryKey: ['datasetVersionList', { datasetId, itemId }],
        queryFn: ({ signal }) =>
          client.datasetVersionList(
            { ...namedState(datasetId), itemId, pageSize: limits.pageSizeMax },
            { signal },
          ),
        enabled: features.includes('corrections'),
      }),
    datasetReplacementList: (datasetId: string, ids: readonly number[]) =>
      queryOptions({
        queryKey: ['datasetReplacementList', { datasetId, ids }],
        queryFn: ({ signal }) =>
          client.datasetReplacementList({ ...namedState(datasetId), ids: [...ids] }, { signal }),
        enabled: features.includes('corrections') && ids.length > 0,
      }),
    datasetProvenance: (datasetId: string) =>
      queryOptions({
        queryKey: ['datasetProvenance', { datasetId }],
        queryFn: ({ signal }) =>
          client.datasetProvenance(
            {
              datasetId: datasetNameOf(datasetId),
              ...(features.includes('audit') && { pageSize: limits.pageSizeMax }),
            },
            { signal },
          ),
        enabled: features.includes('authors'),
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
    tokenList: (page: number) =>
      queryOptions({
        queryKey: ['tokenList', { page }],
        queryFn: ({ signal }) => client.tokenList({ page, pageSize }, { signal }),
      }),
    firstViews: () =>
      queryOptions({
        queryKey: ['viewList', { first: limits.pageSizeMax }],
        queryFn: ({ signal }) => client.viewList({ pageSize: limits.pageSizeMax }, { signal }),
      }),
    /** It stays the same as long as one is signed in. */
    whoAmI: () =>
      queryOptions({
        queryKey: ['whoAmI'],
        queryFn: ({ signal }) => client.whoAmI({}, { signal }),
        enabled: features.includes('audit'),
        staleTime: Infinity,
      }),
    auditList: (filters: AuditFilters) =>
      infiniteQueryOptions({
        queryKey: ['auditList', filters],
        queryFn: ({ signal, pageParam }) =>
          client.auditList(
            { ...filters, pageSize: auditPageSize, ...(pageParam && { before: pageParam }) },
            { signal },
          ),
        initialPageParam: 0,
        getNextPageParam: (page) => (page.length < auditPageSize ? undefined : page.at(-1)!.number),
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
