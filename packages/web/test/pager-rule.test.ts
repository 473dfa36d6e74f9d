import { describe, expect, test } from 'vitest'
import {
  hasManyPages,
  hasNext,
  isPastEnd,
  lastPageOf,
  pageNumber,
  showsPager,
  typedPage,
} from '../src/ui/paging.ts'

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

test.each([
  { entries: 0, isExact: true, many: false, last: 0 },
  { entries: 20, isExact: true, many: false, last: 0 },
  { entries: 21, isExact: true, many: true, last: 1 },
  { entries: 10_000_000, isExact: true, many: true, last: 499_999 },
  { entries: 10_000, isExact: false, many: true, last: undefined },
])('$entries entries on all pages, exactly: $isExact', ({ many, last, ...all }) => {
  expect(hasManyPages(all, pageSize)).toBe(many)
  expect(lastPageOf(all, pageSize)).toBe(last)
})

test.each([
  ['1', 0],
  [' 7 ', 6],
  ['1,000', 41],
  ['99', 41],
  ['0', 0],
  ['', undefined],
  ['-3', undefined],
  ['two', undefined],
])('page %j of 42 is typed', (text, page) => {
  expect(typedPage(text, 41)).toBe(page)
  if (page === 41) expect(typedPage(text)).toBeGreaterThan(41)
})
