import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldSearch, searchIncludes, searchWords } from '../src/index.ts'
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
  // Half width, and composed in another way.
  ['ﾊﾞｽ', 'バス'],
  ['ハ\u3099ス', 'バス'],
  ['㌀', 'アパート'],
  ['МАИ\u0306', 'май'],
  ['\uffb1\uffd3', '무'],
  // An accent of stress, and two points that are often left out.
  ['рука\u0301', 'рука'],
  ['Ёлка', 'елка'],
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

test.each([
  ['バス', 'ハス'],
  ['かぎ', 'かき'],
  ['は\u309a', 'は'],
  ['ﾊﾟﾝ', 'ﾊ'],
  ['май', 'маи'],
  ['МАЙ', 'маи'],
  ['їжак', 'іжак'],
  ['ӧ', 'о'],
  ['ќе', 'ке'],
  ['각', '가'],
  ['\u1100\u1161\u11a8', '가'],
  ['ม้า', 'มา'],
  ['फ़िल्म', 'फिल्म'],
])('in %j is no %j', (text, sought) => {
  expect(searchIncludes(text, foldSearch(sought))).toBe(false)
})

const texts = anyText({ maxLength: 20 })

/** Letters of which some make another one with a mark, and marks of several places around a letter. */
const composing = fc
  .array(
    fc.constantFrom(
      ...Array.from('aÉиЙегかがﾊﾞ가ㅏ\u1100\u1161\u11a8'),
      ...Array.from('\u0301\u0306\u0308\u0323\u0327\u3099\u309a\u093c\u0e48'),
    ),
    { maxLength: 20 },
  )
  .map((each) => each.join(''))

test('folding is idempotent, and the same for every Unicode normalization form', () =>
  fc.assert(
    fc.property(fc.oneof(texts, composing), (text) => {
      const folded = foldSearch(text)
      expect(foldSearch(folded)).toBe(folded)
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) {
        expect(foldSearch(text.normalize(form)), form).toBe(folded)
      }
    }),
    { numRuns: 2000 },
  ))

test('a text split before a letter folds to the same as its two parts', () =>
  fc.assert(
    fc.property(fc.oneof(texts, composing), texts, (a, b) => {
      expect(foldSearch(`${a}x${b}`)).toBe(foldSearch(a) + foldSearch(`x${b}`))
    }),
    { numRuns: 2000 },
  ))

test('a long text is folded in pieces, and found in across their borders', () => {
  expect(foldSearch('\ufdfa'.repeat(100_000))).toBe(foldSearch('\ufdfa').repeat(100_000))
  fc.assert(
    fc.property(fc.integer({ min: 8170, max: 8200 }), composing, texts, (length, a, b) => {
      const text = `${'x'.repeat(length)}${a}Z😀É${b}`
      const marked = foldSearch(`x${a}Z😀É${b}`)
      expect(foldSearch(text)).toBe(`${'x'.repeat(length - 1)}${marked}`)
      for (const sought of [foldSearch(a), foldSearch(`${a}z😀`), 'z😀e', `xz😀${foldSearch(b)}`]) {
        expect(searchIncludes(text, sought)).toBe(foldSearch(text).includes(sought))
      }
    }),
  )
})

test(
  'every code point folds to what folds to itself, before and behind another',
  { tags: 'long' },
  () => {
    for (const codes of codePointWindows()) {
      const folded = foldSearch(codes.map((code) => String.fromCodePoint(code)).join(' '))
      expect(foldSearch(folded) === folded, `from U+${codes[0]!.toString(16)}`).toBe(true)
      for (const code of codes) {
        const character = String.fromCodePoint(code)
        const [first, ...rest] = Array.from(character.normalize('NFD'))
        if (rest.length === 0) continue
        // Each is one letter with what it is composed of, also at the border of two pieces.
        const text = `${'x'.repeat(8191)}${first}${rest.join('')}`
        expect(foldSearch(text), character).toBe(`${'x'.repeat(8191)}${foldSearch(character)}`)
      }
    }
  },
)

test('the words of a search are folded, each once', () => {
  expect(searchWords('  Große KATZE\u00a0gross\n')).toEqual(['grosse', 'katze', 'gross'])
  expect(searchWords('katze Katze')).toEqual(['katze'])
  expect(searchWords(' \u0301 ')).toEqual([])
})
