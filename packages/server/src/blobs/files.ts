import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { link, mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import type { Blobs } from './blobs.ts'
import { watchRoom, type RequireRoom } from './room.ts'
import { spool, type Sealed } from './spool.ts'

/** How much is read ahead of a slow reader. */
const readAheadBytes = 256 * 1024

const prefixes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Blobs as files of one folder: `ab/cdef…` for the sha256 `abcdef…`, and `tmp/` for what comes in. */
export async function openFileBlobs(folder: string): Promise<Blobs> {
  const unpublished = join(folder, 'tmp')
  await mkdir(unpublished, { recursive: true })
  // All of them now: a folder made later would need an fsync of its own before the first blob in it
  // could be acknowledged.
  const there = new Set(await readdir(folder))
  for (const prefix of prefixes.filter((each) => !there.has(each))) {
    // Recursive, it does not mind that a process that starts at the same time was faster.
    await mkdir(join(folder, prefix), { recursive: true })
  }
  await syncFolder(folder)

  const requireRoom = watchRoom(folder)
  const folderOf = (sha256: string) => join(folder, sha256.slice(0, 2))
  const pathOf = (sha256: string) => join(folderOf(sha256), sha256.slice(2))

  const publish = async (temporary: string, { sha256, size }: Sealed) => {
    const path = pathOf(sha256)
    if (!(await linkNew(temporary, path)) && (await statOf(path))?.size !== size) {
      const replacement = `${temporary}.replacement`
      await link(temporary, replacement)
      await rename(replacement, path)
    }
    await syncFolder(folderOf(sha256))
  }

  return {
    requireRoom,

    receive: async (source, { maxBytes }) => {
      const temporary = join(unpublished, randomUUID())
      const discard = () => rm(temporary, { force: true })
      try {
        const sealed = await pour(source, temporary, { maxBytes, requireRoom })
        return { ...sealed, publish: () => publish(temporary, sealed).catch(refuse), discard }
      } catch (error) {
        await discard()
        throw refuse(error)
      }
    },

    open: async (sha256, range) => {
      const file = await open(pathOf(sha256))
      return file.createReadStream({ ...range, highWaterMark: readAheadBytes })
    },

    remove: (sha256) => rm(pathOf(sha256), { force: true }),

    removeUnpublished: async ({ olderThanMs }) => {
      for (const name of await readdir(unpublished)) {
        const path = join(unpublished, name)
        const writtenAt = (await statOf(path))?.mtimeMs ?? Infinity
        if (Date.now() - writtenAt >= olderThanMs) await rm(path, { force: true })
      }
    },

    list: async function* () {
      for (const prefix of prefixes) {
        for await (const { name } of await opendir(join(folder, prefix))) {
          const found = await statOf(join(folder, prefix, name))
          if (found !== undefined && /^[0-9a-f]{62}$/.test(name)) {
            yield { sha256: prefix + name, size: found.size, modifiedAt: found.mtimeMs }
          }
        }
      }
    },
  }
}

async function pour(
  source: AsyncIterable<Uint8Array>,
  path: string,
  limits: { maxBytes: number; requireRoom: RequireRoom },
): Promise<Sealed> {
  const file = await open(path, 'wx')
  try {
    return await spool(source, file, { ...limits, isDurable: true })
  } finally {
    await file.close()
  }
}

/** Whether the name was free. */
async function linkNew(existing: string, path: string): Promise<boolean> {
  try {
    await link(existing, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** A new name survives a power cut only once its folder was synced (fsync(2), NOTES). */
async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; NTFS journals names by itself.
  if (process.platform === 'win32') return
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function refuse(error: unknown): never {
  if (error instanceof Failure) throw error
  const full = ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '')
  throw full ? new Failure('STORAGE_FULL', { cause: error }) : error
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
}
