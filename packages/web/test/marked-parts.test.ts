import { foldSearch, searchWords } from '@vitrine/contract'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { markedParts } from '../src/ui/MarkedText.tsx'

/** A text with what is marked in brackets. */
function marked(text: string, q: string): string {
  return markedParts(text, searchWords(q))
    .map((part) => (part.isMarked ? `[${part.text}]` : part.text))
    .join('')
}

test.each([
  ['A black cat', 'CAT black', 'A [black] [cat]'],
  ['Crème brûlée', 'creme', '[Crème] brûlée'],
  ['Cre\u0300me', 'CREME', '[Cre\u0300me]'],
  // A mark that belongs to the last letter is not left behind.
  ['cafe\u0301s', 'cafe', '[cafe\u0301]s'],
  ['Hauptstraße', 'STRASSE', 'Haupt[straße]'],
  // Half of a ligature is all of it.
  ['ﬁne', 'f', '[ﬁ]ne'],
  ['Σίσυφος', 'ΦΟΣ', 'Σίσυ[φος]'],
  ['aaa', 'aa', '[aa]a'],
  // Words that overlap or touch are marked as one.
  ['catalogue', 'cat tal', '[catal]ogue'],
  ['👩🏽‍🚀 in orbit', '👩', '[👩🏽‍🚀] in orbit'],
  ['バスとハス', 'ハス', 'バスと[ハス]'],
  ['ハ\u3099ス', 'バス', '[ハ\u3099ス]'],
  ['سلام عليكم', 'عليكم', 'سلام [عليكم]'],
  // Without the accent they are one syllable.
  ['가\u0301\u11a8', '각', '[가\u0301\u11a8]'],
  ['가\u0301\u11a8', '\u11a8', '가\u0301\u11a8'],
  ['nothing', 'cat', 'nothing'],
  ['nothing', ' ', 'nothing'],
  ['', 'cat', ''],
])('%j, %j', (text, q, expected) => {
  expect(marked(text, q)).toBe(expected)
})

test('a match far into a long text is not marked', () => {
  const long = `cat ${'👩🏽‍🚀'.repeat(200)} cat`
  expect(marked(long, 'cat')).toBe(`[cat] ${'👩🏽‍🚀'.repeat(200)} cat`)
})

const letters = fc.constantFrom(
  'a',
  'A',
  'ß',
  's',
  'ﬁ',
  'I',
  'İ',
  '\u0301',
  'é',
  ' ',
  'Σ',
  '👩🏽‍🚀',
  'א',
  '①',
  '가',
  '\u11a8',
  'か',
  '\u3099',
  'ﾊ',
  'ﾞ',
  'и',
  '\u0306',
)
const texts = fc.array(letters, { maxLength: 12 }).map((each) => each.join(''))

test('a text stays as it is, and has a mark exactly where a word is in it', () => {
  fc.assert(
    fc.property(texts, texts, (text, q) => {
      const words = searchWords(q)
      const parts = markedParts(text, words)
      expect(parts.map((part) => part.text).join('')).toBe(text)
      const isFound = words.some((word) => foldSearch(text).includes(word))
      expect(parts.some((part) => part.isMarked)).toBe(isFound)
      for (const part of parts.filter((each) => !each.isMarked)) {
        expect(words.filter((word) => foldSearch(part.text).includes(word))).toEqual([])
      }
    }),
    { numRuns: 2000 },
  )
})
