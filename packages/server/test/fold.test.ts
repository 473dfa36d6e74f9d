import { deserialize, serialize } from 'node:v8'
import { type ItemValue, type SchemaField, textOf } from '@vitrine/contract'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainTypes, plainValues } from '../../contract/test/value-arbitraries.ts'
import { type FoldedField, type FoldState, Fold } from '../src/reading/summaries/fold.ts'
import { storedTypes } from '../src/values/stored-types.ts'
import { expectHistogram, expectSummary } from './naive-summary.ts'
import { times } from './times.ts'

const cases = times('FOLD_CASES', { first: 40, again: 1, whole: 400 })

const fieldOf = (type: (typeof plainTypes)[number] | 'string'): SchemaField =>
  type === 'string' ? { name: 'a', type, length: 1000 } : { name: 'a', type }
const folded = ({ name, type }: SchemaField): FoldedField => ({
  name,
  type,
  kind: storedTypes[type].summary,
  hasChoices: false,
})

const increasing = (a: ItemValue, b: ItemValue) => Number(a) - Number(b)

/** Folds cells in parts, each by a fold that goes on from what the one before kept. */
function foldInParts(field: SchemaField, cells: (string | number | null)[], cuts: number[]): Fold {
  let fold = new Fold([folded(field)])
  let from = 0
  for (const cut of [...cuts.toSorted((a, b) => a - b), cells.length]) {
    fold.add(cells.slice(from, cut).map((cell) => [cell]))
    fold = new Fold([folded(field)], deserialize(serialize(fold.state)) as FoldState)
    from = Math.max(from, cut)
  }
  return fold
}

test(
  'values of every plain type are counted as one by one, however they come in parts',
  { tags: 'long' },
  () => {
    const drafts = fc.oneof(
      ...plainTypes.map((type) =>
        fc.record({
          field: fc.constant(fieldOf(type)),
          values: fc.array(fc.option(plainValues[type], { nil: undefined }), { maxLength: 60 }),
        }),
      ),
      fc.record({
        field: fc.constant(fieldOf('string')),
        values: fc.array(fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'))),
      }),
    )
    fc.assert(
      fc.property(
        drafts,
        fc.array(fc.nat({ max: 60 }), { maxLength: 3 }),
        ({ field, values }, cuts) => {
          const plain = values.map((value): ItemValue | undefined =>
            typeof value === 'object' && 'json' in value ? value.json : (value as ItemValue),
          )
          const cells = plain.map((value) =>
            value === undefined ? null : textOf(field)!.toCell(value),
          )
          const fold = foldInParts(field, cells, cuts)
          expect(fold.items).toBe(values.length)
          expectSummary(
            fold.fields()[0]!,
            field,
            plain.map((value) => (value === undefined ? undefined : { value })),
          )
        },
      ),
      { numRuns: cases },
    )
  },
)

test('numbers of any size are in bins that nest as the range grows', { tags: 'long' }, () => {
  const sizes = fc.integer({ min: -320, max: 308 })
  const spread = fc.tuple(
    sizes,
    fc.array(fc.double({ noNaN: true, min: -9, max: 9 }), { minLength: 1 }),
  )
  fc.assert(
    fc.property(fc.array(spread, { minLength: 1, maxLength: 3 }), (parts) => {
      const crowd = Array.from({ length: 1500 }, (_, index) => (index * 7919) % 1500)
      const values = parts.flatMap(([size, numbers]) =>
        [...crowd, ...numbers].map((number) => Number(`${number}e${size}`)).filter(Number.isFinite),
      )
      const summary = foldInParts(fieldOf('number'), values, [100, 1600]).fields()[0]!
      expectHistogram(summary.histogram!, values, increasing)
    }),
    { numRuns: cases },
  )
})

test.each<[ItemValue[], FieldBounds]>([
  [
    [0.1, 0.2, 0.3],
    ['number', [0.1, 0.11], [0.3, 0.31]],
  ],
  [
    [42, 42],
    ['number', [40, 50], [40, 50]],
  ],
  [
    [3, 42],
    ['integer', [3, 4], [42, 43]],
  ],
  [
    [3, 43],
    ['integer', [2, 4], [42, 44]],
  ],
  [
    [-17, 1200],
    ['integer', [-50, 0], [1200, 1250]],
  ],
  [
    ['2026-01-31', '2026-02-03'],
    ['date', ['2026-01-31', '2026-02-01'], ['2026-02-03', '2026-02-04']],
  ],
  [
    ['2026-01-31', '2026-04-01'],
    ['date', ['2026-01-26', '2026-02-02'], ['2026-03-30', '2026-04-06']],
  ],
  [
    ['1901-05-05', '2026-04-01'],
    ['date', ['1900-01-01', '1905-01-01'], ['2025-01-01', '2030-01-01']],
  ],
  [
    ['0001-01-01', '9999-12-31'],
    ['date', [undefined, '0500-01-01'], ['9500-01-01', undefined]],
  ],
  [
    ['2026-01-31T09:30:00.25Z', '2026-01-31T09:30:04Z'],
    [
      'timestamp',
      ['2026-01-31T09:30:00.2Z', '2026-01-31T09:30:00.3Z'],
      ['2026-01-31T09:30:04Z', '2026-01-31T09:30:04.1Z'],
    ],
  ],
])('bins of %j have round bounds', (values, [type, first, last]) => {
  const field = fieldOf(type)
  const cells = values.map((value) => textOf(field)!.toCell(value))
  const { histogram } = foldInParts(field, cells, []).fields()[0]!
  const [from, to] = [histogram![0]!, histogram!.at(-1)!]
  expect([from.from, from.to]).toEqual(first)
  expect([to.from, to.to]).toEqual(last)
})

type Bounds = [from: ItemValue | undefined, to: ItemValue | undefined]
type FieldBounds = ['integer' | 'number' | 'date' | 'timestamp', Bounds, Bounds]

test.each([
  ['numbers', (index: number) => index],
  ['words', (index: number) => `w${index}`],
  ['long texts that begin alike', (index: number) => `${'x'.repeat(300)}${index}`],
  ['addresses', (index: number) => `https://example.org/item/${index * 17}?a=${index % 7}`],
])(
  'the distinct count of 50,000 %s is within 2 %, and counts of the commonest are bounded',
  { tags: 'long' },
  (_, valueOf: (index: number) => string | number) => {
    const count = 50_000
    const field = fieldOf(typeof valueOf(0) === 'number' ? 'integer' : 'string')
    // One in 10 is one of three values, in the ratio 3:2:1.
    const common = [0, 0, 0, 1, 1, 2]
    const indexes = Array.from({ length: count }, (__, index) => [
      index,
      ...(index % 9 === 8 ? [common[Math.floor(index / 9) % 6]!] : []),
    ]).flat()
    const cells = indexes.map((index) => valueOf(index))
    const whole = foldInParts(field, cells, []).fields()[0]!
    expect(Math.abs(whole.distinct - count) / count).toBeLessThan(0.02)
    expect(whole.estimated).toBe(true)
    const expected = common.map((index) => valueOf(index))
    const named = whole.commonest.slice(0, 3)
    for (const [index, { count: found }] of named.entries()) {
      const real = cells.filter((cell) => cell === expected[[0, 3, 5][index]!]).length
      expect(found).toBeLessThanOrEqual(real)
      expect(found + whole.uncounted!).toBeGreaterThanOrEqual(real)
    }
    expect(whole.commonest).toHaveLength(3)
    expect(foldInParts(field, cells, [5_000, 30_001]).fields()[0]).toEqual(whole)
    if (field.type === 'integer') expectHistogram(whole.histogram!, cells, increasing)
  },
)

test('no more values are different than there are', () => {
  const fold = new Fold([folded(fieldOf('integer'))])
  for (let value = 0; value < 100_000; value += 1) {
    fold.add([[value * 7 + 3]])
    if (value % 2000 !== 1999) continue
    const { distinct, present } = fold.fields()[0]!
    expect(distinct).toBeLessThanOrEqual(present)
  }
})

test('up to 10,000 different values the number is exact', () => {
  const cells = Array.from({ length: 30_000 }, (_, index) => index % 10_000)
  const summary = foldInParts(fieldOf('integer'), cells, [9_999]).fields()[0]!
  expect(summary).toMatchObject({ distinct: 10_000, least: 0, greatest: 9_999, mean: 4999.5 })
  expect(summary.estimated).toBe(undefined)
  expect(summary.commonest[0]).toEqual({ value: 0, count: 3 })
})

test('a long text is named by its beginning', () => {
  const texts = ['😀'.repeat(150), `x${'😀'.repeat(150)}`, `x${'😀'.repeat(151)}`, 'x'.repeat(200)]
  const { commonest, distinct } = foldInParts(fieldOf('string'), texts, []).fields()[0]!
  expect(distinct).toBe(4)
  expect(commonest).toEqual([
    { value: 'x'.repeat(200), count: 1 },
    { value: `x${'😀'.repeat(49)}`, count: 1, cut: true },
    { value: `x${'😀'.repeat(49)}`, count: 1, cut: true },
    { value: '😀'.repeat(50), count: 1, cut: true },
  ])
})

test('the mean of the largest numbers is one of them', () => {
  const largest = Number.MAX_VALUE
  expect(foldInParts(fieldOf('number'), [largest, largest], []).fields()[0]!.mean).toBe(largest)
})
