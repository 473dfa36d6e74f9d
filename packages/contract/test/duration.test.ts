import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainText, textOf, typeOf, type SchemaField } from '../src/index.ts'

const field: SchemaField = { name: 'took', type: 'duration' }
const { fromFile, fromText, fromCell, toCell } = textOf(field)!
const largest = Number.MAX_SAFE_INTEGER

test.each([
  ['PT0S', 0],
  ['-PT0S', 0, 'PT0S'],
  ['PT90M', 5_400_000_000, 'PT1H30M'],
  ['P2W', 1_209_600_000_000, 'P14D'],
  ['P1DT2H3M4.5S', 93_784_500_000],
  ['p1dt2h3m4,50s', 93_784_500_000, 'P1DT2H3M4.5S'],
  ['P0DT0H1M0S', 60_000_000, 'PT1M'],
  ['PT0.000001S', 1],
  ['-PT0.000001S', -1],
  // Java, PostgreSQL and pandas.
  ['PT-1.5S', -1_500_000, '-PT1.5S'],
  ['P-1DT-2H', -93_600_000_000, '-P1DT2H'],
  ['P-1DT23H59M59S', -1_000_000, '-PT1S'],
  ['-P-1DT1H', 82_800_000_000, 'PT23H'],
  // PostgreSQL and DuckDB, Python, pandas, spreadsheets.
  ['1 day 02:03:04.5', 93_784_500_000, 'P1DT2H3M4.5S'],
  ['-1 days -02:03:04', -93_784_000_000, '-P1DT2H3M4S'],
  ['-1 days +23:59:59', -1_000_000, '-PT1S'],
  ['-1 day, 23:59:59.999999', -1, '-PT0.000001S'],
  ['3 days', 259_200_000_000, 'P3D'],
  ['0:00:00', 0, 'PT0S'],
  ['-00:00:01.25', -1_250_000, '-PT1.25S'],
  [' 26:03:04\n', 93_784_000_000, 'P1DT2H3M4S'],
  ['PT9007199254.740991S', largest, 'P104249DT23H47M34.740991S'],
  ['-P104249DT23H47M34.740991S', -largest],
] satisfies [text: string, micros: number, kept?: string][])('%j is kept', (...row) => {
  const [text, micros, kept = text] = row as [string, number, string?]
  expect(fromFile(text, field)).toEqual({ ok: true, value: kept })
  expect(toCell(kept)).toBe(micros)
  expect(fromCell(micros)).toBe(kept)
  expect(fromText(kept, field)).toEqual({ ok: true, value: kept })
  if (text !== kept) {
    expect(fromText(text, field)).toEqual({ ok: false, reason: `must be written ${kept}` })
  }
})

test.each([
  '',
  'P',
  'PT',
  'P1DT',
  'P1Y',
  'P1M',
  'PT1.5H',
  'PT1H2',
  '1D',
  '90',
  '1:30',
  '1:60:00',
  '1:00:60',
  '1 day,',
  '1 day 2 hours',
  '1 month 02:00:00',
  'PT0.0000001S',
  'PT9007199254.740992S',
  'P999999999999W',
  'PT1ſ',
  `PT${'0'.repeat(12)}1S`,
])('%j is none', (text) => {
  expect(fromFile(text, field)).toMatchObject({ ok: false })
})

test('numbers have no unit, and are none', () => {
  for (const input of [90, 90n, true]) expect(fromFile(input, field)).toMatchObject({ ok: false })
})

test('every number of microseconds has one text', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (micros) => {
      const text = plainText(fromCell(micros))
      expect(fromText(text, field)).toEqual({ ok: true, value: text })
      expect(toCell(text)).toBe(micros + 0)
    }),
  )
})

test('operands have any spelling, and are compared by their length', () => {
  const literal = typeOf(field).literal!
  const options = { isOrdering: true, field }
  expect(literal('P1D', options)).toEqual(literal('24:00:00', options))
  expect(literal('PT1H', options)).toEqual({ ok: true, value: 3_600_000_000 })
  expect(literal(5, options)).toMatchObject({ ok: false })
})
