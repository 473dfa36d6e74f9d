import type { SchemaElement } from 'hyparquet'
import { daysOfDate, microsOfMoment } from '../parquet/time-text.ts'
import { durationKind } from './duration-kind.ts'
import type { Cell } from './row-lists.ts'
import { type SheetValue, dateValue, momentValue, numberValue, textValue } from './sheet-value.ts'

/**
 * Text of the cells of a kind: `text` is a text as it is, `json` a text of JSON, `integer` and `number` are numbers,
 * `boolean` is 1 or 0, `moment` a text without the Z at its end, `made` a number that `makeText` makes a text of.
 */
export type CellForm = 'text' | 'json' | 'integer' | 'number' | 'boolean' | 'moment' | 'made'

/** Cells of a kind in every format of rows. None of the functions is called for a missing value. */
export type KindDefinition = {
  form: CellForm
  /** Returns what makes texts of numbers, in ASCII and without quotes, for the rows of one file. */
  makeText?: () => (cell: number) => Uint8Array
  /** Bytes by which a value may be longer than its cell in JSON, quotes counted. */
  besideCell: number
  /** Returns its value in a column of numbers: days or microseconds where it is a time. Texts are bytes there. */
  store?: (cell: NonNullable<Cell>) => bigint | number
  /** https://github.com/apache/parquet-format/blob/master/LogicalTypes.md */
  parquet: {
    element: Partial<SchemaElement>
    /** Whether Arrow's schema alone says what the values are. */
    isOfArrow?: true
  }
  arrow: ArrowType
  /** `formats` are the number formats of its cells, that of new ones first; the width is in characters. */
  sheet: { width: number; formats: readonly string[]; valueOf: (cell: Cell) => SheetValue }
}

/** https://arrow.apache.org/docs/format/Columnar.html; times are in microseconds. */
export type ArrowType = 'utf8' | 'int64' | 'float64' | 'bool' | 'date32' | 'timestamp' | 'duration'

const utf8 = new TextEncoder()
const [noFormat, text] = [[], ['@']] as const
const [day, second, millisecond] = [
  'yyyy\\-mm\\-dd',
  'yyyy\\-mm\\-dd\\ hh:mm:ss',
  'yyyy\\-mm\\-dd\\ hh:mm:ss.000',
] as const
const moment: Partial<SchemaElement> = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MICROS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
}

/** Kinds of columns by the values of their cells. A new kind is an entry here. */
export const columnKinds = {
  text: {
    form: 'text',
    besideCell: 0,
    arrow: 'utf8',
    parquet: {
      element: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
    },
    sheet: { width: 24, formats: text, valueOf: textValue },
  },
  integer: {
    form: 'integer',
    besideCell: 0,
    arrow: 'int64',
    store: BigInt,
    parquet: { element: { type: 'INT64' } },
    sheet: { width: 12, formats: noFormat, valueOf: numberValue },
  },
  number: {
    form: 'number',
    besideCell: '"-1.2345678901234567e-308"'.length,
    arrow: 'float64',
    store: Number,
    parquet: { element: { type: 'DOUBLE' } },
    sheet: { width: 14, formats: noFormat, valueOf: numberValue },
  },
  /** 1 or 0. */
  boolean: {
    form: 'boolean',
    besideCell: 'false'.length,
    arrow: 'bool',
    store: Number,
    parquet: { element: { type: 'BOOLEAN' } },
    sheet: { width: 10, formats: noFormat, valueOf: (cell) => ({ boolean: cell as 0 | 1 }) },
  },
  /** A text such as `2026-11-22`. */
  date: {
    form: 'text',
    besideCell: 0,
    arrow: 'date32',
    store: (cell) => daysOfDate(String(cell)),
    parquet: {
      element: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
    },
    sheet: { width: 12, formats: [day], valueOf: (cell) => dateValue(String(cell), day) },
  },
  /** A moment in UTC, to the microsecond, without its Z: `2026-11-22T15:04:05.25`. */
  timestamp: {
    form: 'moment',
    besideCell: 'Z'.length,
    arrow: 'timestamp',
    store: (cell) => microsOfMoment(String(cell)),
    parquet: { element: moment },
    sheet: {
      width: 22,
      formats: [second, millisecond],
      valueOf: (cell) => momentValue(`${cell}Z`, { second, millisecond }),
    },
  },
  /** A moment in milliseconds since 1970. */
  millisecond: {
    form: 'made',
    makeText: rememberMoments,
    besideCell: '"2026-01-01T00:00:00.000Z"'.length,
    arrow: 'timestamp',
    store: (cell) => BigInt(cell) * 1000n,
    parquet: { element: moment },
    sheet: {
      width: 24,
      formats: [millisecond, second],
      valueOf: (cell) => momentValue(new Date(Number(cell)).toISOString(), { second, millisecond }),
    },
  },
  duration: durationKind,
  /** The text of a JSON value. */
  json: {
    form: 'json',
    besideCell: 0,
    arrow: 'utf8',
    // DuckDB and Polars know the older name only.
    parquet: {
      element: { type: 'BYTE_ARRAY', converted_type: 'JSON', logical_type: { type: 'JSON' } },
    },
    sheet: { width: 32, formats: text, valueOf: textValue },
  },
} as const satisfies Record<string, KindDefinition>

export type ColumnKind = keyof typeof columnKinds

export function kindOf({ kind }: { kind: ColumnKind }): KindDefinition {
  return columnKinds[kind]
}

/** Moments in ISO 8601; those that were imported together share one. */
function rememberMoments(): (milliseconds: number) => Uint8Array {
  let last = Number.NaN
  let bytes = new Uint8Array()
  return (milliseconds) => {
    if (milliseconds !== last) {
      last = milliseconds
      bytes = utf8.encode(new Date(milliseconds).toISOString())
    }
    return bytes
  }
}
