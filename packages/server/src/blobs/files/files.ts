import { hash, randomUUID } from 'node:crypto'
import {
  type FileHandle,
  access,
  constants,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
} from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { privateFolder } from '../../runtime/private-modes.ts'
import { type Blobs, type ByteRange, type Bytes, createBlobHealth } from '../blobs.ts'
import { checkpointsInFiles } from './checkpoints.ts'
import { codeOf, linkNew, refuse, statOf, syncFolder } from './durable-files.ts'
import { ownerInFile, trashInFiles } from './trash.ts'
import { type RequireRoom, watchRoom } from '../disk-reserve.ts'
import { type Sealed, spool } from '../spool.ts'
import { missingBytes, otherSize } from '../read-blob.ts'

/** Files up to here are hashed before they count as the same; larger ones are replaced unread. */
const hashedMax = 16 * 1024 ** 2

const prefixes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * Opens blobs as files of one folder: `ab/cdef…` for the sha256 `abcdef…`, `tmp/` for what comes in,
 * `trash/` for what was removed, `checkpoints/` for what was signed, and `installation` with the id of whose they are.
 */
export async function openFileBlobs(folder: string): Promise<Blobs> {
  const unpublished = join(folder, 'tmp')
  await mkdir(unpublished, { recursive: true, mode: privateFolder })
  // All of them now: a folder made later would need an fsync of its own before the first blob in it
  // could be acknowledged.
  const there = new Set(await readdir(folder))
  for (const prefix of prefixes.filter((each) => !there.has(each))) {
    // Recursive, it does not mind that a process that starts at the same time was faster.
    await mkdir(join(folder, prefix), { recursive: true, mode: privateFolder })
  }
  await syncFolder(folder)

  const requireRoom = watchRoom(folder)
  const health = createBlobHealth()
  const folderOf = (sha256: string) => join(folder, sha256.slice(0, 2))
  const pathOf = (sha256: string) => join(folderOf(sha256), sha256.slice(2))

  const publish = async (temporary: string, bytes: Sealed, isDamaged: boolean) => {
    const path = pathOf(bytes.sha256)
    let there: Awaited<ReturnType<typeof compare>> | 'linked'
    do {
      if (await linkNew(temporary, path)) there = 'linked'
      else there = isDamaged ? 'other' : await compare(path, bytes)
      // Collection took the file in between.
    } while (there === 'gone')
    if (there === 'other') health.healed += 1
    if (there === 'other' || there === 'unread') {
      const replacement = `${temporary}.replacement`
      await link(temporary, replacement)
      await rename(replacement, path)
    }
    await syncFolder(folderOf(bytes.sha256))
    return there === 'other' || there === 'unread'
  }

  return {
    health,
    owner: ownerInFile(folder, unpublished),
    trash: trashInFiles(folder, pathOf),
    checkpoints: checkpointsInFiles(folder),
    requireRoom,

    receive: async (source, { maxBytes }) => {
      const temporary = join(unpublished, randomUUID())
      const discard = () => rm(temporary, { force: true })
      try {
        const sealed = await pour(source, temporary, { maxBytes, requireRoom })
        return {
          ...sealed,
          publish: ({ isDamaged } = { isDamaged: false }) =>
            publish(temporary, sealed, isDamaged).catch(refuse),
          discard,
        }
      } catch (error) {
        await discard()
        throw refuse(error)
      }
    },

    open: (bytes, range) => openFile(pathOf(bytes.sha256), bytes, range),

    ping: () => access(unpublished, constants.W_OK),

    remove: (sha256) => rm(pathOf(sha256), { force: true }),

    removeUnpublished: async ({ olderThanMs }) => {
      for (const name of await readdir(unpublished)) {
        const path = join(unpublished, name)
        // In whole milliseconds, as the clock is.
        const writtenAt = Math.floor((await statOf(path))?.mtimeMs ?? Infinity)
        if (Date.now() - writtenAt >= olderThanMs) await rm(path, { force: true })
      }
    },

    list: () => listFiles(folder),
  }
}

/** Reads what is in a folder of blobs, which need not be whole, and makes nothing in it. */
export function readFileBlobs(folder: string): Pick<Blobs, 'owner' | 'checkpoints' | 'list'> {
  return {
    owner: ownerInFile(folder, join(folder, 'tmp')),
    checkpoints: checkpointsInFiles(folder),
    list: () => listFiles(folder),
  }
}

async function* listFiles(folder: string): ReturnType<Blobs['list']> {
  const there = new Set(await readdir(folder))
  for (const prefix of prefixes.filter((each) => there.has(each))) {
    // The names of one of 256 folders at a time: of ten million files, 40,000.
    for (const name of await readdir(join(folder, prefix))) {
      const stats = await statOf(join(folder, prefix, name))
      if (stats !== undefined && /^[0-9a-f]{62}$/.test(name)) {
        yield { sha256: prefix + name, size: stats.size }
      }
    }
  }
}

/** Compares a file with the bytes that it must have. */
async function compare(
  path: string,
  { sha256, size }: Sealed,
): Promise<'same' | 'other' | 'unread' | 'gone'> {
  const stats = await statOf(path)
  if (stats === undefined) return 'gone'
  if (stats.size !== size) return 'other'
  if (size > hashedMax) return 'unread'
  try {
    return hash('sha256', await readFile(path)) === sha256 ? 'same' : 'other'
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'gone'
    throw error
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

/** How much is read ahead of a slow reader. */
const readAheadBytes = 256 * 1024

/**
 * Opens a blob that is a file, and compares its size before anything is read. It gives exactly as many
 * bytes as were asked for; where the file is cut short meanwhile, reading fails.
 * @throws DamagedBlob
 */
async function openFile(path: string, bytes: Bytes, range?: ByteRange): Promise<Readable> {
  const { sha256, size } = bytes
  const file = await open(path).catch((error: unknown) => {
    throw codeOf(error) === 'ENOENT' ? missingBytes(sha256, error) : error
  })
  try {
    const stats = await file.stat()
    if (stats.size !== size) throw otherSize(sha256, stats.size, size)
  } catch (error) {
    await file.close()
    throw error
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  const stream = Readable.from(chunks(file, bytes, { start, end }), {
    objectMode: false,
    highWaterMark: readAheadBytes,
  })
  // Of a reader that leaves before it read anything the generator never hears.
  stream.once('close', () => void file.close())
  return stream
}

async function* chunks(file: FileHandle, { sha256, size }: Bytes, { start, end }: ByteRange) {
  let at = start
  while (at <= end) {
    const length = Math.min(readAheadBytes, end + 1 - at)
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, at)
    if (bytesRead === 0) throw otherSize(sha256, at, size)
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
