// Runs on the main thread.

import type { Readable } from 'node:stream'

/** A file in an archive. */
export type ArchiveEntry = {
  /** Plain (`plainName`). */
  name: string
  /** Unpacked, in bytes, as the archive says. */
  size: number
  open: () => Promise<AsyncIterable<Buffer> | Readable>
}

/** Why a name is not taken; undefined for one that is. */
export function refuseName(name: string): string | undefined {
  if (name.length > 1024) return 'has a name of more than 1024 characters'
  if (name.includes('\0')) return 'has a name with a character that no path has'
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'has an absolute path'
  if (name.split('/').includes('..')) return 'has a path that climbs out of the archive'
  return undefined
}

/**
 * Writes a name as names are compared, of an entry as of a row: macOS decomposes accents, Windows separates by `\`, and
 * tar puts `./` before all.
 */
export function plainName(name: string): string {
  return name
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
}

const leftoverFiles = ['.ds_store', 'thumbs.db', 'desktop.ini']
const leftoverFolders = [
  '__macosx',
  '.appledouble',
  '.spotlight-v100',
  '.trashes',
  '.fseventsd',
  '$recycle.bin',
  '@eadir',
]

/** Whether a file is one that a system leaves beside those that somebody has put there. */
export function isLeftover(name: string): boolean {
  const folders = name.toLowerCase().split('/')
  const file = folders.pop()!
  const isOfFile = file.startsWith('._') || leftoverFiles.includes(file)
  return isOfFile || folders.some((folder) => leftoverFolders.includes(folder))
}
