import * as fc from 'fast-check'
import type { Json } from '../src/index.ts'
import type { SampleValue } from './sample-world.ts'

/** Choices in an order that is not that of their characters. */
export const sizes = ['S', 'M', 'L', 'XL', '']

/** Choices that values of many types are cast to. */
export const castChoices = ['true', '10', 'a', '5', 'L', '2026-01-31']

export const plainTypes = [
  'integer',
  'number',
  'boolean',
  'date',
  'timestamp',
  'duration',
  'url',
  'json',
] as const

const largest = Number.MAX_SAFE_INTEGER

export const integers: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, 1, -1, 9, 10, largest, -largest, largest - 1, 2 ** 31, -(2 ** 31), 2 ** 32),
  fc.maxSafeInteger(),
)

/** Those that engines read, write and order each in its own way, if they are let. */
export const numbers: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, 1, -1, 0.1, -0.1, 0.3, 0.1 + 0.2, 1e21, 123456789012345680000, 1e-6, 1e-7),
  fc.constantFrom(5e-324, 1.7976931348623157e308, -1e308, 2 ** 51 - 0.5, 100, -2.5, 1e15, 1e16),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
)

export const dates = fc.constantFrom(
  '0001-01-01',
  '1969-12-31',
  '1970-01-01',
  '2026-01-31',
  '2026-02-01',
  '9999-12-31',
)

export const timestamps = fc.constantFrom(
  '0001-01-01T00:00:00Z',
  '1969-12-31T23:59:59.999999Z',
  '2026-01-31T00:00:00Z',
  '2026-01-31T09:30:00Z',
  '2026-01-31T09:30:00.5Z',
  '2026-01-31T09:30:00.25Z',
  '2026-01-31T09:30:00.250001Z',
  '2026-01-31T09:30:01Z',
  '9999-12-31T23:59:59.999999Z',
)

export const durations = fc.constantFrom(
  'PT0S',
  'PT0.000001S',
  '-PT0.5S',
  'PT9S',
  'PT10S',
  'PT1H30M',
  'PT23H59M59.25S',
  'P1D',
  'P10DT1S',
  '-P2DT3H',
  'P104249DT23H47M34.740991S',
)

export const urls = fc.constantFrom(
  'https://example.org/',
  'http://example.org/%C3%BC?a=1#b',
  'https://xn--bcher-kva.example/10',
  'https://example.org/9',
)

/** Keys in their canonical order, in which replies have them. */
const jsons: fc.Arbitrary<Exclude<Json, null>> = fc.oneof(
  fc.constantFrom<Exclude<Json, null>[]>('', 'a', '5', 5, 0.1, true, false, [], {}),
  fc.constantFrom<Exclude<Json, null>[]>([1e21, null], { a: ['ß', '\0'], b: 1 }, { '😀': -0.5 }),
)

export const plainValues: Record<(typeof plainTypes)[number], fc.Arbitrary<SampleValue>> = {
  integer: integers,
  number: numbers,
  boolean: fc.boolean(),
  date: dates,
  timestamp: timestamps,
  duration: durations,
  url: urls,
  json: jsons.map((json) => ({ json })),
}
