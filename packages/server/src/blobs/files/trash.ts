import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { privateFolder } from '../../runtime/private-modes.ts'
import { type BlobOwner, type BlobTrash, dayPattern, digestPattern } from '../blobs.ts'
import { codeOf, linkNew, statOf, syncFolder } from './durable-files.ts'

/** Keeps removed blobs in `trash/2026-11-22/abcdef…` of the folder of blobs. */
export function trashInFiles(folder: string, pathOf: (sha256: string) => string): BlobTrash {
  const trash = join(folder, 'trash')
  const folderOf = (day: string) => join(trash, day)

  /** Makes the folder of a day, durably. */
  const makeFolder = async (day: string) => {
    const first = await mkdir(folderOf(day), { recursive: true, mode: privateFolder })
    if (first === undefined) return
    await syncFolder(trash)
    await syncFolder(folder)
  }

  return {
    put: async ({ sha256 }, day) => {
      const path = pathOf(sha256)
      for (;;) {
        await makeFolder(day)
        try {
          await rename(path, join(folderOf(day), sha256))
          break
        } catch (error) {
          if (codeOf(error) !== 'ENOENT') throw error
          if ((await statOf(path)) === undefined) return
          // The trash of that day was emptied meanwhile, with its folder.
        }
      }
      // Renaming does nothing where both names are of one file (rename(2)), as an upload leaves them
      // that publishes its bytes again while they are collected.
      await rm(path, { force: true })
      // Where the old name outlives a power cut, collection meets it as an orphan.
      await syncFolder(folderOf(day))
    },

    days: async () => {
      const names = await namesIn(trash)
      return names.filter((name) => dayPattern.test(name)).toSorted()
    },

    list: async function* (day) {
      for (const sha256 of await namesIn(folderOf(day))) {
        const stats = await statOf(join(folderOf(day), sha256))
        if (stats === undefined || !digestPattern.test(sha256)) continue
        yield { sha256, size: stats.size, day }
      }
    },

    open: async ({ sha256, day }) => {
      const file = await open(join(folderOf(day), sha256))
      return file.createReadStream()
    },

    restore: async ({ sha256, day }) => {
      const path = pathOf(sha256)
      await rename(join(folderOf(day), sha256), path)
      await rm(join(folderOf(day), sha256), { force: true })
      await syncFolder(dirname(path))
      await syncFolder(folderOf(day))
    },

    removeDay: (day) => rm(folderOf(day), { recursive: true, force: true }),
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

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
