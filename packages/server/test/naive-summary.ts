import {
  canonicalText,
  compareText,
  countCodePoints,
  plainText,
  textOf,
  type FieldSummary,
  type ItemValue,
  type SchemaField,
  type Seal,
} from '@vitrine/contract'
import { expect } from 'vitest'

/** A value with its seal; undefined where it is missing. */
export type Sealed =
  { value: ItemValue; seal?: Pick<Seal, 'size' | 'mime'> | undefined } | undefined

/** Holds a summary of a field with few values to all of these, counted one by one. */
export function expectSummary(
  { histogram, lengths, bytes, mean, ...summary }: FieldSummary,
  field: SchemaField,
  all: readonly Sealed[],
): void {
  const present = all.filter((each) => each !== undefined)
  const values = present.map(({ value }) => value)
  const texts = values.map((value) => canonicalText(field, value))
  const counts = countEach(texts)
  const compare = (a: ItemValue, b: ItemValue) => {
    if (field.type === 'duration') return microsOf(a) - microsOf(b)
    return typeof a === 'string' ? compareText(a, plainText(b)) : Number(a) - Number(b)
  }
  const compareTexts = (a: string, b: string) => {
    const [of, to] = [values[texts.indexOf(a)]!, values[texts.indexOf(b)]!]
    if (field.type === 'json') return compareText(a, b)
    return field.type === 'timestamp'
      ? compareMoments(plainText(of), plainText(to))
      : compare(of, to)
  }
  const { type, name } = field
  const hasOrder =
    ['integer', 'number', 'date', 'timestamp', 'duration', 'url'].includes(type) ||
    (type === 'string' && field.choices === undefined)
  const sorted = texts.toSorted(compareTexts).map((text) => values[texts.indexOf(text)]!)
  expect(summary).toEqual({
    name,
    type,
    present: present.length,
    missing: all.length - present.length,
    distinct: counts.size,
    commonest: [...counts]
      .toSorted(([a, countA], [b, countB]) => countB - countA || compareTexts(a, b))
      .slice(0, 20)
      .map(([text, count]) => ({ value: values[texts.indexOf(text)], count })),
    ...(hasOrder && present.length > 0 && { least: sorted[0], greatest: sorted.at(-1) }),
    ...(type === 'binary' &&
      present.length > 0 && {
        mediaTypes: [...countEach(present.map(({ seal }) => seal!.mime!))]
          .toSorted(([a, countA], [b, countB]) => countB - countA || compareText(a, b))
          .map(([mime, count]) => ({ mime, count })),
      }),
  })
  const isNumber = type === 'integer' || type === 'number' || type === 'duration'
  if (present.length === 0) return expect([histogram, lengths, bytes, mean]).toEqual(Array(4))
  if (type === 'duration') {
    // Rounded to the microsecond.
    expect(Math.abs(microsOf(mean!) - meanOf(values.map(microsOf)))).toBeLessThanOrEqual(2)
  } else if (isNumber) expectMean(mean as number, values.map(Number))
  else expect(mean).toBe(undefined)
  if (isNumber || type === 'date') expectHistogram(histogram!, values, compare)
  else if (type === 'timestamp') {
    expectHistogram(histogram!, values, (a, b) => compareMoments(plainText(a), plainText(b)))
  } else expect(histogram).toBe(undefined)
  if (type === 'string' || type === 'url') expectMeasure(lengths, values.map(lengthOf))
  else expect(lengths).toBe(undefined)
  if (type === 'binary') {
    const sizes = present.map(({ seal }) => seal!.size)
    expectMeasure(bytes, sizes)
    expect(bytes!.total).toBe(sizes.reduce((sum, size) => sum + size))
  } else expect(bytes).toBe(undefined)
}

/** Holds the bins to all values: round, side by side, and each with what is in it. */
export function expectHistogram(
  bins: NonNullable<FieldSummary['histogram']>,
  values: readonly ItemValue[],
  compare: (a: ItemValue, b: ItemValue) => number,
): void {
  expect(bins.length).toBeLessThanOrEqual(40)
  for (const [index, { from, to, count }] of bins.entries()) {
    const within = values.filter(
      (value) =>
        (from === undefined || compare(value, from) >= 0) &&
        (to === undefined || compare(value, to) < 0),
    )
    expect(count).toBe(within.length)
    if (index > 0) expect(from).toEqual(bins[index - 1]!.to)
  }
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length)
  expect(bins[0]!.count).toBeGreaterThan(0)
  expect(bins.at(-1)!.count).toBeGreaterThan(0)
}

function expectMeasure(measure: FieldSummary['lengths'], values: readonly number[]): void {
  const { least, greatest, mean, histogram } = measure!
  expect([least, greatest]).toEqual([Math.min(...values), Math.max(...values)])
  expectMean(mean, values)
  expectHistogram(histogram, values, (a, b) => Number(a) - Number(b))
}

function expectMean(mean: number | undefined, values: readonly number[]): void {
  const expected = meanOf(values)
  const size = Math.max(...values.map((value) => Math.abs(value)))
  // Numbers are added up at a 2^30th of their size, which rounds those below the normal ones.
  const subnormal = 2 ** -1043
  expect(Math.abs(mean! - expected)).toBeLessThanOrEqual(size * 1e-12 + subnormal)
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value / values.length, 0)
}

function microsOf(duration: ItemValue): number {
  return Number(textOf({ type: 'duration' })!.toCell(duration))
}

function countEach(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

function lengthOf(value: ItemValue): number {
  return countCodePoints(plainText(value))
}

/** Without the Z the order of texts is that of moments. */
function compareMoments(a: string, b: string): number {
  return compareText(a.slice(0, -1), b.slice(0, -1))
}
