import { noId, readId, unfitText, type ImportFormat, type ShownField } from '@vitrine/contract'
import type { Sample, SampleValue } from '../rows/sample.ts'
import type { ColumnMapping } from '../pages/Import/column-mapping.ts'

/** Something for which the server would refuse a row. */
export type SampleProblem = {
  line: number
  /** Where it stands; undefined where it is the whole row. */
  column: string | undefined
  reason: string
}

/** What is wrong with the first rows, as far as it can be known here. */
export function checkSample(
  { columns, rows }: Sample,
  {
    mapping,
    schema,
    format,
  }: { mapping: ColumnMapping; schema: readonly ShownField[]; format: ImportFormat },
): SampleProblem[] {
  const fields = columns.map((column) => schema.find(({ name }) => name === mapping[column]))
  // An empty cell of a required field is the empty text.
  const absentIsEmpty = format === 'csv' || format === 'tsv'
  return rows.flatMap(({ line, values, problem }): SampleProblem[] => {
    if (problem !== undefined) return [{ line, column: undefined, reason: problem }]
    return columns.flatMap((column, index) => {
      const field = fields[index]
      const reason = field && reasonAgainst(field, values[index], absentIsEmpty)
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
    (target) =>
      target === null || schema.some(({ name, type }) => name === target && type === 'string'),
  )
}

function reasonAgainst(
  field: ShownField,
  value: SampleValue,
  absentIsEmpty: boolean,
): string | undefined {
  const { name, type, optional, length } = field
  if (value === undefined) {
    if (optional === true || (absentIsEmpty && type === 'string')) return undefined
    return `${name} is required`
  }
  if (typeof value === 'object') {
    if ('unfit' in value) return `${name} ${value.unfit}`
    const fits = 'bytes' in value ? type === 'binary' : type === 'reference'
    return fits ? undefined : `${name} takes ${type === 'string' ? 'text' : 'another value'}`
  }
  if (type === 'reference') {
    return readId(value) === undefined ? `${name} ${noId}` : undefined
  }
  if (type !== 'string' || length === undefined) return undefined
  const reason = unfitText({ length }, value)
  return reason && `${name} ${reason}`
}
