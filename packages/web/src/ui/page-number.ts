/** The page that a search such as `?page=2` names; pages start at 0. */
export function pageNumber(search: URLSearchParams): number {
  const text = search.get('page') ?? ''
  return /^\d{1,12}$/.test(text) ? Number(text) : 0
}

/** The search of another page of the same list; the first page needs no number. */
export function pageSearch(search: string, page: number): string {
  const next = new URLSearchParams(search)
  if (page === 0) next.delete('page')
  else next.set('page', String(page))
  return `?${next}`
}

/** The page that was typed, counted from 1, or the nearest one there is; undefined if it is no number. */
export function typedPage(text: string, lastPage = Infinity): number | undefined {
  const digits = text.replaceAll(/[\s,]/g, '')
  if (!/^\d{1,12}$/.test(digits)) return undefined
  return Math.min(lastPage, Math.max(0, Number(digits) - 1))
}
