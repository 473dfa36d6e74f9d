import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { KeyTable, shortKey } from '../src/imports/key-table.ts'

/** Enough that keys of 32 bits would collide some ten times. */
const count = 300_000

const digestOf = (value: string | number) => hash('sha256', String(value))

describe.each([
  ['an id', (at: number) => String(at + 1)],
  ['one field', digestOf],
  ['two fields, the first of which is the same', (at: number) => digestOf('x') + digestOf(at)],
  ['two fields, the last of which is the same', (at: number) => digestOf(at) + digestOf('x')],
  ['three fields', (at: number) => digestOf(at % 7) + digestOf(at) + digestOf('x')],
])('keys of %s', (_, keyOf) => {
  test('are told apart, as the table grows and with room for all', () => {
    for (const expected of [0, count]) {
      const table = new KeyTable(expected)
      for (let at = 0; at < count; at += 1) table.add(shortKey(keyOf(at)), at)
      const wrong = Array.from({ length: count }, (_, at) => at).filter(
        (at) => table.get(shortKey(keyOf(at))) !== at,
      )
      expect(wrong).toEqual([])
      expect(table.get(shortKey(keyOf(count)))).toBeUndefined()
    }
  })
})

test('a key that several numbers are put under says so', () => {
  const table = new KeyTable()
  for (const number of [1, 2, 3]) table.add(shortKey(digestOf('twice')), number)
  expect(table.get(shortKey(digestOf('twice')))).toBe('several')
})
