import type { ImportState } from '@vitrine/contract'
import type { ImportRow } from '../store/imports.ts'
import { readOptions } from './import-options.ts'

/** Returns the state of an import as the API shows it. */
export function toImportState(row: ImportRow): ImportState {
  const { format, mode } = readOptions(row.options)
  const from = row.first_position
  const count = row.rows - row.refused_rows
  return {
    key: row.key,
    state: row.state,
    format,
    mode,
    createdAt: new Date(row.created_at).toISOString(),
    receivedBytes: row.received_bytes,
    checkedBytes: row.checked_bytes,
    rows: row.rows,
    refusedRows: row.refused_rows,
    publishedRows: row.published_rows,
    ...(row.state === 'done' &&
      from !== null && { items: { from, to: from + count, firstId: row.first_item_id! } }),
    ...(row.notes !== null && { notes: JSON.parse(row.notes) }),
    ...(row.state === 'failed' && { error: JSON.parse(row.error!) }),
  }
}
