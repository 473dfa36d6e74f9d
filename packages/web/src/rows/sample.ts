import type { NameField } from '@vitrine/client/rows/field-name.ts'
import type { RowBatch } from '@vitrine/client/rows/row-batch.ts'
import { scalarText } from '@vitrine/rows/scalar-text'
import { UnfitValue } from '@vitrine/rows/unfit-value'

/**
 * A value to look at: text as an import would take it, the size of bytes, JSON that is no scalar, or why
 * an import refuses it.
 */
export type SampleValue =
  string | undefined | { bytes: number } | { json: string } | { unfit: string }

export type SampleRow = { line: number; values: SampleValue[]; problem?: string }

/** The first rows of a file. */
export type Sample = {
  columns: readonly string[]
  /** What the field of each column would be called. */
  fieldNames: readonly string[]
  rows: SampleRow[]
}

export const sampleRowsMost = 100

export function toSample({ columns, rows }: RowBatch, nameField: NameField): Sample {
  return {
    columns,
    fieldNames: columns.map(nameField),
    rows: rows.slice(0, sampleRowsMost).map(({ line, values, problem }) => ({
      line,
      values: columns.map((_, index) => toSampleValue(values[index])),
      ...(problem !== undefined && { problem }),
    })),
  }
}

function toSampleValue(value: unknown): SampleValue {
  if (value === undefined || value === null) return undefined
  if (value instanceof Uint8Array) return { bytes: value.length }
  if (value instanceof UnfitValue) return { unfit: value.reason }
  return scalarText(value) ?? { json: JSON.stringify(value) }
}
