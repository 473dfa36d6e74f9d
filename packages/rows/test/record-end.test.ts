import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { endOfLastRecord } from '../src/record-end.ts'

const utf8 = new TextEncoder()

test('a record ends at a line break after an even number of quotes', () => {
  const unit = fc.constantFrom('"', '"', '\n', '\r', 'a', ',', '😀')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
      const isEnd = (at: number) =>
        text[at - 1] === '\n' && text.slice(0, at).split('"').length % 2 === 1
      const ends = Array.from({ length: text.length + 1 }, (_, at) => at).filter(isEnd)
      const before = text.slice(0, ends.at(-1) ?? 0)
      expect(endOfLastRecord(utf8.encode(text), '"')).toBe(utf8.encode(before).length)
    }),
    { numRuns: 2000 },
  )
})

test('one long record of nothing but quotes is looked at once', () => {
  const text = `\n${'""'.repeat(2_000_000)}`
  expect(endOfLastRecord(utf8.encode(text), '"')).toBe(1)
})
