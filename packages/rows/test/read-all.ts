import { readRows } from '../src/read-rows.ts'
import type { TextFormat } from '../src/reading.ts'
import type { Reading } from '../src/reading.ts'

/** Reads all rows of a file of text. */
export async function read(
  content: string | Uint8Array<ArrayBuffer>,
  format: TextFormat,
  reading: Reading = {},
) {
  const rows = []
  let names: readonly string[] = []
  for await (const batch of readRows(new Blob([content]), { format, ...reading })) {
    names = batch.columns
    rows.push(...batch.rows)
  }
  return { names, rows }
}
