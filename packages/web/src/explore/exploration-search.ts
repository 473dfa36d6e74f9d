import { check, exploration, queryText, type Checked, type Exploration } from '@vitrine/contract'

const names = ['where', 'order', 'q'] as const

/**
 * Reads what an address asks of the items: the clauses stand there as the API takes them. Words are read
 * for a server that announces `q`.
 */
export function readExploration(
  search: URLSearchParams,
  features: readonly string[] = [],
): Checked<Exploration> {
  const given = names.filter((name) => search.has(name) && (name !== 'q' || features.includes('q')))
  return check(exploration, Object.fromEntries(given.map((name) => [name, search.get(name)])))
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
