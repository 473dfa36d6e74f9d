import {
  type LoaderFunctionArgs,
  type RouteObject,
  createBrowserRouter,
  redirect,
} from 'react-router'
import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query'
import { type DatasetKind, type Exploration, filterOf } from '@vitrine/contract'
import type { App } from './app-context.tsx'
import { namedState } from './data/named-state.ts'
import { paths, readExploration } from './paths.ts'
import { PageLoading } from './layout/PageLoading.tsx'
import { Shell } from './layout/Shell.tsx'
import { UnexpectedError } from './layout/UnexpectedError.tsx'
import { readDatasetsSearch } from './pages/Datasets/use-datasets-search.ts'
import { NotFoundPage } from './pages/NotFoundPage.tsx'
import { pageNumber } from './ui/paging.ts'

/**
 * Every route. A page's code and its data are asked for side by side; the page
 * appears with what is there and shows the rest as it comes. The pages of a dataset are small and share
 * most of their parts, so they come as one chunk, and the lists, which most people see first, as another;
 * `preload-page.js` asks for these two by the address.
 */
function createRoutes({ queries, queryClient, features }: App) {
  const fetching = <T, K extends QueryKey>(options: FetchQueryOptions<T, Error, T, K>) => {
    void queryClient.prefetchQuery(options)
    return null
  }

  /** Asks for what each screen of a dataset shows. */
  const fetchingDataset = (datasetId: string) => {
    if (features.includes('roles')) fetching(queries.datasetRole(datasetId))
    return fetching(queries.datasetGet(datasetId))
  }

  const explorationOf = ({ request }: LoaderFunctionArgs): Exploration => {
    if (!features.includes('explore')) return {}
    const read = readExploration(new URL(request.url).searchParams, features)
    return read.ok ? read.value : {}
  }

  /** Asks for datasets as one searches for them; undefined of a server that does not announce it. */
  const finding = (args: LoaderFunctionArgs, kind?: DatasetKind) => {
    if (!features.includes('search')) return undefined
    const query = readDatasetsSearch(new URL(args.request.url).searchParams)
    fetching(queries.datasetSearch({ ...query, ...(kind && { kind }) }, pageOf(args)))
    return true
  }

  const routes: RouteObject[] = [
    { index: true, loader: () => redirect(paths.datasets()) },
    {
      path: 'dataset',
      loader: (args) => finding(args) ?? fetching(queries.datasetList(pageOf(args))),
      lazy: {
        Component: async () =>
          (await import(/* webpackChunkName: "lists" */ './pages/Datasets/DatasetsPage.tsx'))
            .DatasetsPage,
      },
    },
    {
      path: 'dataset/:datasetId',
      loader: (args) => {
        const datasetId = datasetOf(args)
        const hasAccess = features.includes('roles') && namedState(datasetId).at === undefined
        if (hasAccess) fetching(queries.grantList(datasetId))
        return fetchingDataset(datasetId)
      },
      lazy: {
        Component: async () =>
          (await import(/* webpackChunkName: "read" */ './pages/Dataset/DatasetPage.tsx'))
            .DatasetPage,
      },
    },
    {
      path: 'dataset/:datasetId/item',
      loader: (args) => {
        fetchingDataset(datasetOf(args))
        return fetching(queries.datasetItemList(datasetOf(args), pageOf(args), explorationOf(args)))
      },
      lazy: {
        Component: async () =>
          (await import(/* webpackChunkName: "read" */ './pages/Items/ItemsPage.tsx')).ItemsPage,
      },
    },
    {
      path: 'dataset/:datasetId/item/:itemId',
      loader: (args) => {
        const itemId = args.params['itemId'] ?? ''
        fetchingDataset(datasetOf(args))
        if (features.includes('corrections')) {
          fetching(queries.datasetVersionList(datasetOf(args), itemId))
        }
        return fetching(queries.datasetItemGet(datasetOf(args), itemId))
      },
      lazy: {
        Component: async () =>
          (await import(/* webpackChunkName: "read" */ './pages/Item/ItemPage.tsx')).ItemPage,
      },
    },
    ...(features.includes('summary')
      ? [
          {
            path: 'dataset/:datasetId/summary',
            loader: (args: LoaderFunctionArgs) => {
              const filter = filterOf(explorationOf(args))
              return fetching(queries.datasetSummary(datasetOf(args), filter))
            },
            lazy: {
              Component: async () => (await import('./pages/Summary/SummaryPage.tsx')).SummaryPage,
            },
          },
        ]
      : []),
    ...(features.includes('diff')
      ? [
          {
            path: 'dataset/:datasetId/diff',
            loader: (args: LoaderFunctionArgs) => fetchingDataset(datasetOf(args)),
            lazy: {
              Component: async () => (await import('./pages/Diff/DiffPage.tsx')).DiffPage,
            },
          },
        ]
      : []),
    {
      path: 'view',
      loader: (args) => finding(args, 'view') ?? fetching(queries.viewList(pageOf(args))),
      lazy: {
        Component: async () =>
          (await import(/* webpackChunkName: "lists" */ './pages/Datasets/ViewsPage.tsx'))
            .ViewsPage,
      },
    },
    {
      path: 'repo',
      loader: (args) => finding(args, 'repo') ?? fetching(queries.repoList(pageOf(args))),
      lazy: {
        Component: async () =>
          (await import(/* webpackChunkName: "lists" */ './pages/Datasets/ReposPage.tsx'))
            .ReposPage,
      },
    },
    {
      path: 'repo/:repoId/additem',
      loader: ({ params }) => fetchingDataset(params['repoId'] ?? ''),
      lazy: {
        Component: async () => (await import('./pages/AddItem/AddItemPage.tsx')).AddItemPage,
      },
    },
    ...(features.includes('corrections')
      ? [
          {
            path: 'repo/:repoId/item/:itemId/correct',
            loader: ({ params }: LoaderFunctionArgs) => {
              const { repoId = '', itemId = '' } = params
              fetching(queries.datasetItemGet(repoId, itemId))
              return fetchingDataset(repoId)
            },
            lazy: {
              Component: async () =>
                (await import('./pages/CorrectItem/CorrectItemPage.tsx')).CorrectItemPage,
            },
          },
        ]
      : []),
    ...(features.includes('import')
      ? [
          {
            path: 'repo/:repoId/import',
            loader: ({ params }: LoaderFunctionArgs) => {
              fetching(queries.importList(params['repoId'] ?? ''))
              return fetchingDataset(params['repoId'] ?? '')
            },
            lazy: {
              Component: async () => (await import('./pages/Import/ImportPage.tsx')).ImportPage,
            },
          },
          {
            path: 'repo/:repoId/addfiles',
            loader: ({ params }: LoaderFunctionArgs) => fetchingDataset(params['repoId'] ?? ''),
            lazy: {
              Component: async () =>
                (await import('./pages/AddFiles/AddFilesPage.tsx')).AddFilesPage,
            },
          },
        ]
      : []),
    ...(features.includes('extend')
      ? [
          {
            path: 'repo/:repoId/edit',
            loader: ({ params }: LoaderFunctionArgs) => fetchingDataset(params['repoId'] ?? ''),
            lazy: {
              Component: async () =>
                (await import('./pages/EditRepo/EditRepoPage.tsx')).EditRepoPage,
            },
          },
        ]
      : []),
    ...(features.includes('tokens')
      ? [
          {
            path: 'token',
            loader: (args: LoaderFunctionArgs) => fetching(queries.tokenList(pageOf(args))),
            lazy: {
              Component: async () => (await import('./pages/Tokens/TokensPage.tsx')).TokensPage,
            },
          },
        ]
      : []),
    ...(features.includes('audit')
      ? [
          {
            path: 'audit',
            lazy: {
              Component: async () => (await import('./pages/Audit/AuditPage.tsx')).AuditPage,
            },
          },
        ]
      : []),
    {
      path: 'addrepo',
      lazy: {
        Component: async () => (await import('./pages/AddDataset/AddRepoPage.tsx')).AddRepoPage,
      },
    },
    {
      path: 'addview',
      lazy: {
        Component: async () => (await import('./pages/AddDataset/AddViewPage.tsx')).AddViewPage,
      },
    },
    { path: '*', Component: NotFoundPage },
  ]
  return [
    {
      path: paths.root(),
      Component: Shell,
      ErrorBoundary: UnexpectedError,
      children: routes.map((route) => ({ ...route, HydrateFallback: PageLoading })),
    },
  ]
}

function pageOf({ request }: LoaderFunctionArgs): number {
  return pageNumber(new URL(request.url).searchParams)
}

function datasetOf({ params }: LoaderFunctionArgs): string {
  return params['datasetId'] ?? ''
}

export function createRouter(app: App) {
  return createBrowserRouter(createRoutes(app))
}
