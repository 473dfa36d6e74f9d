import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobOwner } from './blobs.ts'
import { codeOf, linkNew, syncFolder } from './durable-files.ts'

/** Keeps the id of the installation in the file `installation` of the folder of blobs. */
export function ownerInFile(folder: string, unpublished: string): BlobOwner {
  const path = join(folder, 'installation')

  const read = async () => {
    try {
      return (await readFile(path, 'utf8')).trim()
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  const write = async (id: string, publish: (temporary: string) => Promise<unknown>) => {
    const temporary = join(unpublished, randomUUID())
    try {
      const file = await open(temporary, 'wx')
      try {
        await file.writeFile(`${id}\n`)
        await file.sync()
      } finally {
        await file.close()
      }
      await publish(temporary)
      await syncFolder(folder)
    } finally {
      await rm(temporary, { force: true })
    }
  }

  return {
    read,
    claim: async (id) => {
      await write(id, (temporary) => linkNew(temporary, path))
      return (await read()) ?? id
    },
    replace: (id) => write(id, (temporary) => rename(temporary, path)),
  }
}
