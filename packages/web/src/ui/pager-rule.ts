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
