import type { AuditFilters } from '@vitrine/contract'

/** Filters of the audit log in the address; days are the reader's, and both count. */
export type AuditSearch = { who: string; what: string; dataset: string; from: string; to: string }

export const auditSearchKeys = ['who', 'what', 'dataset', 'from', 'to'] as const

export function readAuditSearch(search: URLSearchParams): AuditSearch {
  const text = (key: string) => search.get(key)?.trim() ?? ''
  const day = (key: string) => (isDay(text(key)) ? text(key) : '')
  return {
    who: text('who'),
    what: text('what'),
    dataset: text('dataset'),
    from: day('from'),
    to: day('to'),
  }
}

/** Returns the filters for the server: from the beginning of the first day until the end of the last. */
export function filtersOf({ who, what, dataset, from, to }: AuditSearch): AuditFilters {
  return {
    ...(who !== '' && { who }),
    ...(what !== '' && { what }),
    ...(dataset !== '' && { dataset }),
    ...(from !== '' && { from: midnight(from, 0) }),
    ...(to !== '' && { to: midnight(to, 1) }),
  }
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}

/** The beginning of a day, or of one after it, where the reader is. */
function midnight(day: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}
