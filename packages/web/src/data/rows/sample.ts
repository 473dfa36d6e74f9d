import type { NameField } from '@vitrine/rows/describe/field-name'
import type { Reading } from '@vitrine/rows/reading'
import type { RowBatch, WorkbookFacts } from '@vitrine/rows/row-batch'
import { InvalidValue } from '@vitrine/rows/invalid-value'
import { ShownValue } from '@vitrine/rows/workbook/shown-value'

type Scalar = string | number | boolean

/**
 * A value to look at: a scalar of the file, one that is shown otherwise, the size of bytes, JSON that is no scalar, or
 * why an import refuses it. An empty cell is undefined, and what a file says is null is so.
 */
export type SampleValue =
  | Scalar
  | undefined
  | null
  | { value: Scalar; shown: string }
  | { bytes: number }
  | { json: string }
  | { unfit: string }

export type SampleRow = { line: number; values: SampleValue[]; problem?: string }

/** The first rows of a file. */
export type Sample = {
  columns: readonly string[]
  /** Suggested name of the field for each column. */
  fieldNames: readonly string[]
  rows: SampleRow[]
  /** How text or a workbook is read. */
  reading?: Reading | undefined
  workbook?: WorkbookFacts | undefined
}

export const sampleRowsMost = 100

export function toSample(
  { columns, rows, reading, workbook }: RowBatch,
  nameField: NameField,
): Sample {
  return {
    columns,
    reading,
    workbook,
    fieldNames: columns.map(nameField),
    rows: rows.slice(0, sampleRowsMost).map(({ line, values, problem }) => ({
      line,
      values: columns.map((_, index) => toSampleValue(values[index])),
      ...(problem !== undefined && { problem }),
    })),
  }
}

function toSampleValue(value: unknown): SampleValue {
  if (value === undefined || value === null) return value
  if (value instanceof Uint8Array) return { bytes: value.length }
  if (value instanceof ShownValue) return { value: value.value, shown: value.shown }
  if (value instanceof InvalidValue) return { unfit: value.reason }
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
    default:
      return value instanceof Date ? value.toISOString() : { json: JSON.stringify(value) }
  }
}
