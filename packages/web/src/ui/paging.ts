/** State of a pager: the page shown, counted from 0, and the number of entries, once known. */
type Paged = { page: number; entries: number | undefined; pageSize: number }

/**
 * Shown when the result is absent or fills a page, and on any page after the
 * first, so that one can go back.
 */
export function showsPager({ page, entries, pageSize }: Paged): boolean {
  return entries === undefined || entries >= pageSize || page > 0
}

export function hasNext({ entries, pageSize }: Paged): boolean {
  return entries !== undefined && entries >= pageSize
}

/** Whether this page begins where the list has ended: its length is a multiple of the page size. */
export function isPastEnd({ page, entries }: Paged): boolean {
  return page > 0 && entries === 0
}

/** How many entries there are on all pages; there may be more of a count that ended early. */
export type AllEntries = { entries: number; isExact: boolean }

/** Whether there is another page to go to, as far as is known. */
export function hasManyPages({ entries, isExact }: AllEntries, pageSize: number): boolean {
  return !isExact || entries > pageSize
}

/** The last page, counted from 0, where it is known. */
export function lastPageOf({ entries, isExact }: AllEntries, pageSize: number): number | undefined {
  return isExact ? Math.max(0, Math.ceil(entries / pageSize) - 1) : undefined
}

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
