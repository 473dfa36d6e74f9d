import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldPieces, foldSearch, searchIncludes, searchWords } from '../src/index.ts'
import { anyText } from './any-text.ts'
import { codePointWindows } from './code-points.ts'

test.each([
  ['Crème Brûlée', 'creme brulee'],
  ['e\u0301', 'e'],
  ['HAUPTSTRASSE', 'hauptstraße'],
  ['ＦＵＬＬ', 'full'],
  ['ﬁne', 'fine'],
  ['①', '1'],
  ['İstanbul', 'istanbul'],
  ['ΆΣ', 'ας'],
  ['Việt Nam', 'viet nam'],
  ['שָׁלוֹם', 'שלום'],
  ['\u1112\u1161\u11ab', '한'],
  ['x²', 'X2'],
])('%j is found by %j', (text, sought) => {
  expect(foldSearch(text)).toBe(foldSearch(sought))
})

test.each([
  ['กิน', 'กัน'],
  ['कि', 'क'],
  ['o', 'ø'],
])('%j is not %j', (text, other) => {
  expect(foldSearch(text)).not.toBe(foldSearch(other))
})

const texts = anyText({ maxLength: 20 })

test('what is folded folds to itself, and what stands around changes nothing', () =>
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      expect(foldSearch(foldSearch(a))).toBe(foldSearch(a))
      expect(foldSearch(a + b)).toBe(foldSearch(a) + foldSearch(b))
    }),
    { numRuns: 2000 },
  ))

test('a long text is folded in pieces, and found in across their borders', () => {
  const pieces = [...foldPieces('\ufdfa'.repeat(100_000))]
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000)
  expect(pieces.join('')).toBe(foldSearch('\ufdfa').repeat(100_000))
  fc.assert(
    fc.property(fc.integer({ min: 8170, max: 8200 }), texts, texts, (length, a, b) => {
      const text = `${'x'.repeat(length)}${a}Z😀É${b}`
      expect(foldSearch(text)).toBe(`${'x'.repeat(length)}${foldSearch(`${a}Z😀É${b}`)}`)
      for (const sought of [foldSearch(a), foldSearch(`${a}z😀`), 'z😀e', `xz😀${foldSearch(b)}`]) {
        expect(searchIncludes(text, sought)).toBe(foldSearch(text).includes(sought))
      }
    }),
  )
})

test('every code point folds to what folds to itself', { tags: 'long' }, () => {
  for (const codes of codePointWindows()) {
    const folded = foldSearch(codes.map((code) => String.fromCodePoint(code)).join(' '))
    expect(foldSearch(folded) === folded, `from U+${codes[0]!.toString(16)}`).toBe(true)
  }
})

test('the words of a search are folded, each once', () => {
  expect(searchWords('  Große KATZE\u00a0gross\n')).toEqual(['grosse', 'katze', 'gross'])
  expect(searchWords('katze Katze')).toEqual(['katze'])
  expect(searchWords(' \u0301 ')).toEqual([])
})
