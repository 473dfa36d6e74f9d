import type { Refusal } from '@vitrine/contract'
import { writeRecord } from '@vitrine/rows/delimited-record'
import { readRefusals } from '../store/import-refusals.ts'
import type { Db } from '../store/store.ts'

const windowRows = 1000

/** The report of an import: a line for each thing that is wrong with a row. */
export async function* readReport(
  db: Db,
  importId: number,
  format: 'ndjson' | 'csv',
): AsyncGenerator<string> {
  if (format === 'csv') yield toCsv(['row', 'line', 'field', 'reason', 'value'])
  for (let from = 0; ; from += windowRows) {
    const refusals = await readRefusals(db, { importId, from, limit: windowRows })
    if (refusals.length > 0) yield refusals.map((refusal) => writers[format](refusal)).join('')
    if (refusals.length < windowRows) return
  }
}

const writers: Record<'ndjson' | 'csv', (refusal: Refusal) => string> = {
  ndjson: (refusal) => `${JSON.stringify(refusal)}\n`,
  csv: ({ row, line, field, reason, value = null }) => toCsv([row, line, field, reason, value]),
}

function toCsv(cells: (string | number | null)[]): string {
  return writeRecord(cells, { delimiter: ',', guard: true })
}
