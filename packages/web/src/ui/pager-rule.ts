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
