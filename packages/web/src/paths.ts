import {
  type Feature,
  type Checked,
  type Exploration,
  check,
  exploration,
  queryText,
} from '@vitrine/contract'

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
  /** Changes of a dataset since its repository had so many items. */
  diff: (datasetId: string, from: number) => `/dataset/${part(datasetId)}/diff?from=${from}`,
  item: (datasetId: string, itemId: string | number) =>
    `/dataset/${part(datasetId)}/item/${part(String(itemId))}`,
  views: () => '/view/',
  repos: () => '/repo/',
  addItem: (repoId: string) => `/repo/${part(repoId)}/additem`,
  /** Correcting an item by another one. */
  correctItem: (repoId: string, itemId: string | number) =>
    `/repo/${part(repoId)}/item/${part(String(itemId))}/correct`,
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

const names = ['where', 'order', 'q', 'current'] as const

/**
 * Reads what an address asks of the items: the clauses stand there as the API takes them. Words and current items are
 * read for a server that announces `q` and `current`.
 */
export function readExploration(
  search: URLSearchParams,
  features: readonly Feature[] = [],
): Checked<Exploration> {
  const present = names.filter(
    (name) => search.has(name) && ((name !== 'q' && name !== 'current') || features.includes(name)),
  )
  return check(exploration, Object.fromEntries(present.map((name) => [name, search.get(name)])))
}

/** The address of what is asked; a page of other items is no page of these, so there is none. */
export function explorationSearch(clauses: Readonly<Record<string, unknown>>): URLSearchParams {
  const search = new URLSearchParams()
  for (const name of names) {
    const clause = clauses[name]
    if (clause !== undefined) search.set(name, queryText(clause))
  }
  return search
}

/** Filter and order of a view, as far as an address can hold them. */
export function explorationOf(view: Readonly<Record<string, unknown>>): Exploration {
  const read = readExploration(explorationSearch(view))
  return read.ok ? read.value : {}
}
