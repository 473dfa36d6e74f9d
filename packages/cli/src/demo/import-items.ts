import { importFile, sha256 } from '@vitrine/client'
import type { AddItems } from './load-repo.ts'
import { rowsFile } from './rows-file.ts'

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
