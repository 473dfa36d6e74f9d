import { writeRecord } from '../formats/write-delimited.ts'
import type { SnapshotRow } from '../views/snapshot.ts'
import type { ExportColumn } from './export-row.ts'

export type DelimitedOptions = { delimiter: string; guard: boolean }

/** Prepares to write rows as CSV or TSV; an absent value is an empty cell, an empty text is in quotes. */
export function prepareDelimited(columns: readonly ExportColumn[], options: DelimitedOptions) {
  return {
    header: writeRecord(
      columns.map(({ name }) => name),
      options,
    ),
    write: (rows: readonly SnapshotRow[]): string => {
      let text = ''
      for (const row of rows) {
        text += writeRecord(
          columns.map((column) => column.of(row)),
          options,
        )
      }
      return text
    },
  }
}
