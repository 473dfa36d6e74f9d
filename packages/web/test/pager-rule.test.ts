import { describe, expect, test } from 'vitest'
import { pageNumber } from '../src/ui/page-number.ts'
import { hasNext, isPastEnd, showsPager } from '../src/ui/pager-rule.ts'

const pageSize = 20

test.each([
  { page: 0, entries: undefined, shows: true, next: false, pastEnd: false },
  { page: 0, entries: 0, shows: false, next: false, pastEnd: false },
  { page: 0, entries: 19, shows: false, next: false, pastEnd: false },
  { page: 0, entries: 20, shows: true, next: true, pastEnd: false },
  { page: 0, entries: 21, shows: true, next: true, pastEnd: false },
  { page: 1, entries: 0, shows: true, next: false, pastEnd: true },
  { page: 1, entries: 3, shows: true, next: false, pastEnd: false },
])('page $page with $entries entries', ({ page, entries, shows, next, pastEnd }) => {
  const paged = { page, entries, pageSize }
  expect(showsPager(paged)).toBe(shows)
  expect(hasNext(paged)).toBe(next)
  expect(isPastEnd(paged)).toBe(pastEnd)
})

describe('the page that an address names', () => {
  test.each([
    ['', 0],
    ['page=0', 0],
    ['page=7', 7],
    ['page=-1', 0],
    ['page=1.5', 0],
    ['page=x', 0],
    ['page=1e3', 0],
    ['page=9999999999999999999', 0],
  ])('%j is %i', (search, page) => {
    expect(pageNumber(new URLSearchParams(search))).toBe(page)
  })
})
