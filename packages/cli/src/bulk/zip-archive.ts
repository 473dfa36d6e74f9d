import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { CommandError } from '../command/command.ts'
import { unreadable } from '../command/files.ts'

/** A zip archive of this computer, whose files are read one at a time. */
export type ZipArchive = {
  has: (path: string) => boolean
  /** Bytes of a file that there is. */
  sizeOf: (path: string) => number
  /** @throws Error where there is no such file */
  open: (path: string) => Promise<Readable>
  close: () => void
}

/** @throws CommandError where it cannot be read as a zip archive */
export async function openZipArchive(file: string): Promise<ZipArchive> {
  const openZip = promisify<string, yauzl.Options, ZipFile>(yauzl.open)
  const options = { lazyEntries: true, autoClose: false, strictFileNames: true }
  const zip = await openZip(file, options).catch((error: unknown) => {
    throw invalidArchive(file, error)
  })
  const entries = new Map<string, Entry>()
  try {
    await new Promise<void>((resolve, reject) => {
      zip.on('error', reject).on('end', resolve)
      zip.on('entry', (entry: Entry) => {
        entries.set(entry.fileName, entry)
        zip.readEntry()
      })
      zip.readEntry()
    })
  } catch (error) {
    zip.close()
    throw invalidArchive(file, error)
  }
  return {
    has: (path) => entries.has(path),
    sizeOf: (path) => entries.get(path)!.uncompressedSize,
    open: async (path) => {
      const entry = entries.get(path)
      if (entry === undefined) throw new Error(`${path} is not in the archive`)
      return new Promise((resolve, reject) => {
        zip.openReadStream(entry, (error, stream) => {
          if (error === null) resolve(stream)
          else reject(error)
        })
      })
    },
    close: () => zip.close(),
  }
}

function invalidArchive(file: string, cause: unknown): CommandError {
  if ((cause as NodeJS.ErrnoException).code !== undefined) return unreadable(file, cause)
  const what = `${file} cannot be read: it is cut off, or no zip archive.`
  return new CommandError(what, { cause, exitCode: 6 })
}
