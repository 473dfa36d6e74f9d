import {
  noId,
  readId,
  textOf,
  type ImportFormat,
  type Read,
  type SchemaField,
  type ShownField,
} from '@vitrine/contract'
import { parseExactJson } from '@vitrine/contract/values/exact-json'
import { isBlankCell } from '@vitrine/rows/describe/blank-cell'
import { takesValue } from '@vitrine/rows/workbook/shown-value'
import type { Sample, SampleValue } from '../../data/rows/sample.ts'
import { isKnown } from '../../values/read-entry.ts'
import type { ColumnMapping } from './column-mapping.ts'

/** Something for which the server would refuse a row. */
export type SampleProblem = {
  line: number
  /** Column of the problem; undefined where it is the whole row. */
  column: string | undefined
  reason: string
}

/** Finds the problems of the first rows that can be known without the server. */
export function checkSample(
  { columns, rows }: Sample,
  {
    mapping,
    schema,
    format,
  }: { mapping: ColumnMapping; schema: readonly ShownField[]; format: ImportFormat },
): SampleProblem[] {
  const fields = columns.map((column) => schema.find(({ name }) => name === mapping[column]))
  return rows.flatMap(({ line, values, problem }): SampleProblem[] => {
    if (problem !== undefined) return [{ line, column: undefined, reason: problem }]
    return columns.flatMap((column, index) => {
      const field = fields[index]
      const reason = field && reasonAgainst(field, values[index], format)
      return reason === undefined ? [] : [{ line, column, reason }]
    })
  })
}

/**
 * Whether the server refuses no other rows than those found here: what references and lookups lead to,
 * what bytes are, and digests it alone can know.
 */
export function isCheckedWhole(mapping: ColumnMapping, schema: readonly ShownField[]): boolean {
  return Object.values(mapping).every(
    (target) => target === null || schema.some((field) => field.name === target && hasText(field)),
  )
}

function hasText(field: ShownField): field is ShownField & SchemaField {
  return isKnown(field) && field.type !== 'reference' && textOf(field) !== undefined
}

function reasonAgainst(
  field: ShownField,
  cell: SampleValue,
  format: ImportFormat,
): string | undefined {
  const { name, type, optional } = field
  const isDelimited = format === 'csv' || format === 'tsv' || format === 'xlsx'
  const isShown = typeof cell === 'object' && cell !== null && 'shown' in cell
  const value = isShown ? pickValue(cell, type) : cell
  const isBlank = isDelimited && typeof value === 'string' && isBlankFor(field, value)
  if (value === undefined || value === null || isBlank) {
    // An empty cell of a required field is the empty text; one that says it has no value is not.
    const isEmptyText = type === 'string' && isDelimited && value !== null
    return optional === true || isEmptyText ? undefined : `${name} is required`
  }
  if (typeof value === 'object' && 'unfit' in value) return `${name} ${value.unfit}`
  if (hasText(field)) {
    const read = readScalar(field, value, format)
    return read.ok ? undefined : `${name} ${read.reason}`
  }
  if (typeof value === 'object') {
    const fits = 'bytes' in value ? type === 'binary' : type === 'reference'
    return fits ? undefined : `${name} does not take this kind of value`
  }
  return type === 'reference' && readId(String(value)) === undefined ? `${name} ${noId}` : undefined
}

function pickValue({ value, shown }: Extract<SampleValue, { shown: string }>, type: string) {
  return takesValue(type) ? value : shown
}

function isBlankFor(field: ShownField, cell: string): boolean {
  return isKnown(field) && isBlankCell(cell, field)
}

/** Reads a value as an import does. */
function readScalar(
  field: SchemaField,
  value: Exclude<SampleValue, undefined | null | { unfit: string } | { shown: string }>,
  format: ImportFormat,
): Read<unknown> {
  const { fromFile, fromJson = fromFile } = textOf(field)!
  const isJson = typeof value === 'object' && 'json' in value
  const parsed: unknown = isJson ? parseExactJson(value.json) : value
  const isOfJson = format === 'ndjson' || format === 'json' || isJson
  return isOfJson ? fromJson(parsed, field) : fromFile(parsed, field)
}
