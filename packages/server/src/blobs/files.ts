import { createHash, randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { link, mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { fail, Failure } from '../failure.ts'
import type { Blobs, ReceivedBlob } from './blobs.ts'
import { watchRoom, type RequireRoom } from './room.ts'

/** Chunks are gathered to this many bytes for one write, while the next ones are hashed. */
const writeBytes = 1024 ** 2

/** So many bytes are handed to the disk at a time, lest the final fsync find all of them waiting. */
const flushBytes = 128 * 1024 ** 2

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
  for (const prefix of prefixes) if (!there.has(prefix)) await mkdir(join(folder, prefix))
  await syncFolder(folder)

  const requireRoom = watchRoom(folder)
  const folderOf = (sha256: string) => join(folder, sha256.slice(0, 2))
  const pathOf = (sha256: string) => join(folderOf(sha256), sha256.slice(2))

  /** Returns the inode under the digest, or undefined where collection took it away meanwhile. */
  const publish = async (temporary: string, { sha256, size }: Sealed) => {
    const path = pathOf(sha256)
    if (!(await linkNew(temporary, path)) && (await statOf(path))?.size !== size) {
      const replacement = `${temporary}.replacement`
      await link(temporary, replacement)
      await rename(replacement, path)
    }
    await syncFolder(folderOf(sha256))
    return (await statOf(path))?.ino
  }

  return {
    requireRoom,

    receive: async (source, { maxBytes }) => {
      const temporary = join(unpublished, randomUUID())
      const discard = () => rm(temporary, { force: true })
      try {
        const sealed = await pour(source, temporary, { maxBytes, requireRoom })
        let inode: number | undefined
        return {
          ...sealed,
          publish: async () => {
            inode = await publish(temporary, sealed).catch(refuse)
          },
          isPublished: async () =>
            inode !== undefined && inode === (await statOf(pathOf(sealed.sha256)))?.ino,
          discard,
        } satisfies ReceivedBlob
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

    removeUnpublished: async () => {
      for (const name of await readdir(unpublished)) await rm(join(unpublished, name))
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

type Sealed = { sha256: string; size: number }

/** Writes and hashes side by side: one write is under way while the next bytes are hashed. */
async function pour(
  source: AsyncIterable<Uint8Array>,
  path: string,
  { maxBytes, requireRoom }: { maxBytes: number; requireRoom: RequireRoom },
): Promise<Sealed> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx')
  let size = 0
  let gathered: Uint8Array[] = []
  let gatheredBytes = 0
  let flushedBytes = 0
  let writing: Promise<void> = Promise.resolve()
  const write = async () => {
    await requireRoom(gatheredBytes)
    const chunks = gathered
    gathered = []
    gatheredBytes = 0
    await writing
    writing = writeAll(file, chunks)
    // Awaited above or below; this keeps it from counting as unhandled until then.
    writing.catch(() => {})
  }
  let flushing: Promise<void> = Promise.resolve()
  try {
    for await (const chunk of source) {
      size += chunk.length
      if (size > maxBytes) throw fail('CONTENT_TOO_LARGE')
      hash.update(chunk)
      gathered.push(chunk)
      gatheredBytes += chunk.length
      if (gatheredBytes >= writeBytes) await write()
      if (size - flushedBytes >= flushBytes) {
        flushedBytes = size
        await flushing
        flushing = file.datasync()
        flushing.catch(() => {})
      }
    }
    await write()
    await writing
    await flushing
    await file.sync()
    return { sha256: hash.digest('hex'), size }
  } finally {
    await Promise.allSettled([writing, flushing])
    await file.close()
  }
}

/** A write may take less than all when the disk is nearly full; the next one then says so. */
async function writeAll(file: FileHandle, chunks: Uint8Array[]): Promise<void> {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  if (bytes === 0) return
  const { bytesWritten } = await file.writev(chunks)
  if (bytesWritten < bytes) await file.appendFile(Buffer.concat(chunks).subarray(bytesWritten))
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
