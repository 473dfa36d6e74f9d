import {
  checkView,
  foldCase,
  foldSearch,
  type Condition,
  type SchemaField,
} from '@vitrine/contract'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../contract/test/any-text.ts'
import { codePointWindows } from '../../contract/test/code-points.ts'
import { Definitions } from '../src/language/definitions.ts'
import { sequenceOf } from '../src/language/sequence-of.ts'
import { foldGrams } from '../src/search-index/segment-filter.ts'
import { GramSet } from '../src/search-index/grams.ts'
import { neededGrams, type NeededGrams } from '../src/search-index/needed-grams.ts'
import { layOutFields } from '../src/store/items.ts'

const schema: SchemaField[] = [
  { name: 'text', type: 'string', length: 100, optional: true },
  { name: 'other', type: 'string', length: 100, optional: true },
  { name: 'count', type: 'integer', optional: true },
  { name: 'size', type: 'integer', optional: true },
  { name: 'seen', type: 'boolean', optional: true },
]

/** Returns the grams that a filter of a repository needs. */
function neededBy(where: Condition): NeededGrams | undefined {
  const view = checkView({ name: 'found', base: 'texts', where }, () => schema)
  if (!view.ok) throw new Error(view.problems[0]!.reason)
  const texts = {
    kind: 'repo',
    id: 1,
    revision: 0,
    accessRevision: 0,
    name: 'texts',
    schema,
    cover: undefined,
  } as const
  const definitions = new Definitions(
    new Map([['texts', { ...texts, fields: layOutFields(schema) }]]),
  )
  const owner = { datasetId: 1, exploration: 'found', orderRevision: 0 }
  const { repoId, base } = { repoId: 1, base: sequenceOf('texts', definitions) }
  const asked = { owner, repoId, baseName: 'texts', clauses: view.value, definitions }
  return neededGrams({ ...asked, limit: Infinity, kind: 'members', base })
}

const grams = new GramSet()

/** Whether an item of a text and a count, or of a text alone, has what is needed. */
function has(text: string, needed: NeededGrams | undefined, count?: number): boolean {
  grams.clear()
  grams.add(foldGrams(text))
  if (count !== undefined) grams.addValue('f2', count)
  const known = new Set(grams.hashes)
  const hasAll = (each: NeededGrams): boolean => {
    if (each.kind === 'gram') return known.has(each.hash)
    return each.kind === 'all' ? each.of.every(hasAll) : each.of.some(hasAll)
  }
  return needed === undefined || hasAll(needed)
}

/** Marks in any order, which a search puts into one: vowels of Tibetan and Thai, tones, nuktas, voicing marks. */
const marked = fc
  .array(
    fc.constantFrom(
      ...Array.from('ཀ\u0f71\u0f72\u0f74ก\u0e38\u0e48क\u093c\u094d'),
      ...Array.from('か\u3099и\u0306e\u0301\u0323가\u1100\u1161\u11a8'),
    ),
    { maxLength: 30 },
  )
  .map((each) => each.join(''))

const part = fc
  .tuple(fc.oneof(anyText({ maxLength: 30 }), marked), fc.nat(30), fc.integer({ min: 1, max: 8 }))
  .map(([text, from, length]) => {
    const characters = Array.from(text)
    return {
      text,
      part: characters
        .slice(from % (characters.length + 1))
        .slice(0, length)
        .join(''),
    }
  })
  .filter(({ part }) => part !== '')

const comparisons: Record<string, (text: string, part: string) => Condition> = {
  search: (_, part) => ({ text: { search: part.toUpperCase() } }),
  contains: (_, part) => ({ text: { contains: part } }),
  icontains: (_, part) => ({ text: { icontains: part.toLowerCase() } }),
  starts_with: (text) => ({ text: { starts_with: Array.from(text).slice(0, 5).join('') } }),
  ends_with: (text) => ({ text: { ends_with: Array.from(text).slice(-5).join('') } }),
  eq: (text) => ({ text: { eq: text } }),
  in: (text) => ({ text: { in: ['another', text] } }),
  'any of two': (_, part) => ({ any: [{ text: { search: part } }, { other: { search: 'x' } }] }),
}

test.each(Object.entries(comparisons))(
  'a text has what %s of a part of it needs',
  (name, condition) =>
    fc.assert(
      fc.property(part, ({ text, part }) => {
        // A part of what is folded to several characters is found, too; upper and lower case may fold otherwise.
        const isFound =
          name === 'search'
            ? foldSearch(text).includes(foldSearch(part.toUpperCase()))
            : name !== 'icontains' || foldCase(text).includes(foldCase(part.toLowerCase()))
        if (isFound) expect(has(text, neededBy(condition(text, part)))).toBe(true)
      }),
      { numRuns: 200 },
    ),
)

test('another text does not have it', () => {
  const conditions: Condition[] = [
    { text: { search: 'ulm' } },
    { text: { icontains: 'ULM' } },
    { text: { in: ['ulm', 'Ulm'] } },
    { text: { search: 'ulm' }, count: { gt: 3 } },
    { all: [{ any: [{ text: { search: 'ulm' } }, { other: { search: 'ulm' } }] }] },
  ]
  for (const where of conditions) {
    expect(has('Berlin, Ul, lm', neededBy(where))).toBe(false)
    expect(has('Neu-Ulm', neededBy(where))).toBe(true)
  }
})

test('a number is needed as a whole, of its field', () => {
  const conditions: Condition[] = [
    { count: { eq: 12 } },
    { count: { in: [7, 12] } },
    { any: [{ text: { search: 'ulm' } }, { count: { eq: 12 } }] },
  ]
  for (const where of conditions) {
    expect(has('Berlin', neededBy(where), 12)).toBe(true)
    expect(has('Berlin 12', neededBy(where), 1)).toBe(false)
    expect(has('Berlin 12', neededBy(where))).toBe(false)
  }
  expect(has('Berlin', neededBy({ size: { eq: 12 } }), 12)).toBe(false)
  const many = Array.from({ length: 65 }, (_, number) => number)
  expect(neededBy({ count: { in: many } })).toBeUndefined()
  expect(has('Berlin', neededBy({ count: { in: many.slice(1) } }), 64)).toBe(true)
})

test.each<Condition>([
  { count: { gt: 3 } },
  { seen: { eq: true } },
  { text: { empty: true } },
  { not: { text: { search: 'ulm' } } },
  { any: [{ text: { search: 'ulm' } }, { count: { lt: 1 } }] },
  { text: { gt: 'ulm' } },
  { text: { icontains: 'ᾳ' } },
])('%j needs nothing', (where) => {
  expect(neededBy(where)).toBeUndefined()
})

test(
  'a search folds every character as case folding does, except for a trailing ι',
  { tags: 'long' },
  () => {
    for (const codes of codePointWindows()) {
      for (const code of codes) {
        const character = String.fromCodePoint(code)
        const [folded, searched] = [foldSearch(foldCase(character)), foldSearch(character)]
        if (folded !== searched && folded !== `${searched}ι`)
          expect([character, folded]).toBe(searched)
      }
    }
  },
)
