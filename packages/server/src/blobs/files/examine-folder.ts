import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { linkNew, syncFolder } from './durable-files.ts'

/**
 * Does once in a folder what keeping blobs takes: writes, syncs, links, replaces and removes a file.
 * @throws Error of the system, or saying what the file system does not do
 */
export async function examineFolder(folder: string): Promise<void> {
  const path = join(folder, `check-${randomUUID()}`)
  const other = `${path}.other`
  try {
    const file = await open(path, 'wx')
    try {
      await file.writeFile('Written by vitrine doctor, and removed at once.')
      await file.sync()
    } finally {
      await file.close()
    }
    await linkNew(path, other)
    if (await linkNew(path, other)) throw new Error('a link replaces a file that is there')
    await rm(other)
    await rename(path, other)
    await syncFolder(folder)
  } finally {
    await rm(path, { force: true })
    await rm(other, { force: true })
  }
}
