import { durationText } from '@vitrine/contract/values/duration'
import type { KindDefinition } from './column-kinds.ts'
import { textValue } from './sheet-value.ts'

const utf8 = new TextEncoder()
const dayMicros = 86_400_000_000
const [second, millisecond] = ['[h]:mm:ss', '[h]:mm:ss.000']

function textOf(micros: number): string {
  return durationText(BigInt(micros), 6)
}

/** A length of time in microseconds. Parquet has no type for it but Arrow's, which pyarrow, pandas and Polars read. */
export const durationKind = {
  form: 'made',
  makeText: () => (micros) => utf8.encode(textOf(micros)),
  besideCell: '"-P104249DT23H47M34.740991S"'.length,
  arrow: 'duration',
  store: BigInt,
  parquet: { element: { type: 'INT64' }, isOfArrow: true },
  sheet: {
    width: 14,
    formats: [second, millisecond],
    // Spreadsheets keep milliseconds, and show nothing for less than no time.
    valueOf: (cell) => {
      const micros = Number(cell)
      if (micros < 0 || micros % 1000 !== 0) return textValue(textOf(micros))
      return { number: micros / dayMicros, format: micros % 1e6 === 0 ? second : millisecond }
    },
  },
} as const satisfies KindDefinition
