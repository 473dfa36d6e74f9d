import type { Exploration } from '@vitrine/contract'
import { explorationSearch } from './explore/exploration-search.ts'

/** Every link of the app. */
const part = (text: string) => encodeURIComponent(text).replaceAll('%40', '@')

export const paths = {
  root: () => '/',
  datasets: () => '/dataset/',
  dataset: (datasetId: string) => `/dataset/${part(datasetId)}`,
  /** The items of a dataset, or those that are asked for. */
  items: (datasetId: string, exploration: Exploration = {}) =>
    `/dataset/${part(datasetId)}/item${query(explorationSearch(exploration))}`,
  /** Summary of a dataset, or of an exploration of it. */
  summary: (datasetId: string, exploration: Omit<Exploration, 'order'> = {}) =>
    `/dataset/${part(datasetId)}/summary${query(explorationSearch(exploration))}`,
  item: (datasetId: string, itemId: string | number) =>
    `/dataset/${part(datasetId)}/item/${part(String(itemId))}`,
  views: () => '/view/',
  repos: () => '/repo/',
  addItem: (repoId: string) => `/repo/${part(repoId)}/additem`,
  /** Extending a repository by its description. */
  editRepo: (repoId: string) => `/repo/${part(repoId)}/edit`,
  /** Importing a file of rows. */
  importRows: (repoId: string) => `/repo/${part(repoId)}/import`,
  /** Adding an item for each of many files. */
  addFiles: (repoId: string) => `/repo/${part(repoId)}/addfiles`,
  /** Personal access tokens. */
  tokens: () => '/token/',
  /** Audit log of the installation. */
  audit: () => '/audit',
  addRepo: () => '/addrepo',
  addView: () => '/addview',
  /** Add View, beginning with a view of what is asked of a dataset. */
  saveAsView: (base: string, exploration: Exploration) =>
    `/addview${query(new URLSearchParams([['base', base], ...explorationSearch(exploration)]))}`,
}

function query(search: URLSearchParams): string {
  return search.size > 0 ? `?${search}` : ''
}
