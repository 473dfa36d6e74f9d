import { isMapping, type ImportFormat, type ShownField } from '@vitrine/contract'
import type { Correction } from '@vitrine/rows/text/correct-rows'
import type { Sample, SampleValue } from '../../data/rows/sample.ts'
import type { ColumnMapping } from './column-mapping.ts'

/** Corrected values of a file as texts, by the line of their row and by their field. */
export type Corrections = Readonly<Record<string, Readonly<Record<string, string>>>>

export function readCorrections(stored: unknown): Corrections | undefined {
  const isRow = (row: unknown) =>
    isMapping(row) && Object.values(row).every((value) => typeof value === 'string')
  return isMapping(stored) && Object.values(stored).every(isRow)
    ? (stored as Corrections)
    : undefined
}

/** Sets the value of a field in a row; undefined takes the correction back. */
export function withCorrection(
  corrections: Corrections,
  { line, field, value }: { line: number; field: string; value: string | undefined },
): Corrections {
  const { [field]: _before, ...others } = corrections[line] ?? {}
  const row = value === undefined ? others : { ...others, [field]: value }
  const { [line]: _row, ...rows } = corrections
  return Object.keys(row).length === 0 ? rows : { ...rows, [line]: row }
}

/** Whether rows of a file can be corrected: those of text, which has lines. */
export function isCorrectable(format: ImportFormat): format is 'ndjson' | 'csv' | 'tsv' {
  return format === 'ndjson' || format === 'csv' || format === 'tsv'
}

/** The text of a button that imports. */
export function correctedText(rows: number, isAlone: boolean): string {
  if (isAlone) return rows === 1 ? 'Import the corrected row' : `Import the ${rows} corrected rows`
  return rows === 1 ? 'Import with the corrected row' : `Import with ${rows} corrected rows`
}

type Target = {
  columns: readonly string[]
  /** The target of each column that is not the field of the same name. */
  mapping: ColumnMapping
  schema: readonly ShownField[]
}

/** Corrections by the columns of the file, as it is written again with them. */
export function correctionsByColumn(
  corrections: Corrections,
  { columns, mapping, schema }: Target,
): ReadonlyMap<number, Correction> {
  const columnOf = (field: string) => columnsOf(field, { columns, mapping })[0] ?? field
  const isJson = (field: string) => schema.find(({ name }) => name === field)?.type === 'json'
  return new Map(
    Object.entries(corrections).map(([line, row]) => [
      Number(line),
      Object.fromEntries(
        Object.entries(row).map(([field, value]) => [
          columnOf(field),
          isJson(field) && value !== '' ? { json: value } : value,
        ]),
      ),
    ]),
  )
}

/** The first rows of a file with their corrections. */
export function correctedSample(
  sample: Sample,
  { corrections, mapping }: { corrections: Corrections; mapping: ColumnMapping },
): Sample {
  const { columns } = sample
  const rows = sample.rows.map((row) => {
    const correction = corrections[row.line]
    if (correction === undefined) return row
    const values = [...row.values]
    for (const [field, value] of Object.entries(correction)) {
      const [column] = columnsOf(field, { columns, mapping })
      if (column !== undefined) values[columns.indexOf(column)] = corrected(value)
    }
    return { ...row, values }
  })
  return { ...sample, rows }
}

function corrected(value: string): SampleValue {
  return value === '' ? undefined : value
}

/** The columns that give a field its value, directly or by a lookup. */
function columnsOf(
  field: string,
  { columns, mapping }: Pick<Target, 'columns' | 'mapping'>,
): string[] {
  return columns.filter((column) => {
    const target = Object.hasOwn(mapping, column) ? mapping[column] : column
    return target === field || target?.startsWith(`${field}.lookup.`)
  })
}
