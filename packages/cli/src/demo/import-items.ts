import { type NewValue, importFile, sha256 } from '@vitrine/client'
import type { ImportFormat } from '@vitrine/contract'
import type { AddItems } from './load-repo.ts'
import type { DemoItem } from './demo-repo.ts'
import { tarEnd, tarHeader, tarPadding } from '../command/tar-parts.ts'

/**
 * Adds items by an import, all of them or none. The same items are the same import, so that one that
 * was interrupted is gone on with, or waited for.
 */
export const importItems: AddItems = async (client, repo, { items, step, signal }) => {
  const { format, file } = await rowsFile(items)
  const key = await sha256(file, { onProgress: () => {}, signal })
  let published = 0
  const state = await importFile(client, repo.name, file, {
    format,
    key,
    signal,
    onProgress: ({ publishedRows }) => {
      step(publishedRows - published)
      published = publishedRows
    },
  })
  const { firstId } = state.items!
  return new Map(items.map((item, index) => [item.key, firstId + index]))
}

/** Items as a file to import: NDJSON, in a tar archive with their pictures where they have any. */
async function rowsFile(items: readonly DemoItem[]): Promise<{ format: ImportFormat; file: Blob }> {
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

/** A file in an archive; its name is ASCII, of at most 100 characters. */
export type TarEntry = { name: string; content: Blob }

/** A tar archive (POSIX.1-2024, pax, "ustar Interchange Format"); files are read when it is. */
function writeTar(entries: readonly TarEntry[]): Blob {
  const parts = entries.flatMap(({ name, content }) => [
    tarHeader(name, content.size),
    content,
    tarPadding(content.size),
  ])
  return new Blob([...parts, tarEnd])
}
