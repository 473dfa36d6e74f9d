import { expect, test } from 'vitest'
import { countText, totalText } from '../src/explore/count-text.ts'

const progress = undefined

test('a count is said with how much it tells', () => {
  expect(totalText({ value: { totalItems: 1 }, progress })).toBe('1 item')
  expect(totalText({ value: { totalItems: 0, exact: true }, progress })).toBe('0 items')
  expect(totalText({ value: { totalItems: 10_000, exact: false }, progress })).toBe(
    'more than 10,000 items',
  )
})

test('a view that is being built says how far it has looked, and never that it is done', () => {
  const found = (scanned: number, total: number) =>
    totalText({ value: { totalItems: 3, exact: false }, progress: { scanned, total } })
  expect(found(0, 2000)).toBe('3 items, looked at 0 of 2,000 so far')
  expect(found(1_249_999, 3_000_000)).toBe('3 items, looked at 1.2 of 3.0 million so far')
  expect(found(2_999_999, 3_000_000)).toBe('3 items, looked at 2.9 of 3.0 million so far')
  const value = { totalItems: 412, exact: false }
  expect(countText({ value, progress: { scanned: 5, total: 9 } })).toBe('at least 412')
})
