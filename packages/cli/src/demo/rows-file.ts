import type { NewValue } from '@vitrine/client'
import type { ImportFormat } from '@vitrine/contract'
import type { DemoItem } from './demo-repo.ts'
import { type TarEntry, writeTar } from './write-tar.ts'

/** Items as a file to import: NDJSON, in a tar archive with their pictures where they have any. */
export async function rowsFile(
  items: readonly DemoItem[],
): Promise<{ format: ImportFormat; file: Blob }> {
  const lines: string[] = []
  const pictures: TarEntry[] = []
  for (const { key, values } of items) {
    const row: Record<string, Exclude<NewValue, Blob>> = {}
    for (const [field, value] of Object.entries(await values())) {
      if (value instanceof Blob) {
        row[field] = `${field}/${key}`
        pictures.push({ name: row[field], content: value })
      } else {
        row[field] = value
      }
    }
    lines.push(`${JSON.stringify(row)}\n`)
  }
  const rows = new Blob([lines.join('')])
  if (pictures.length === 0) return { format: 'ndjson', file: rows }
  return { format: 'tar', file: writeTar([{ name: 'rows.ndjson', content: rows }, ...pictures]) }
}
