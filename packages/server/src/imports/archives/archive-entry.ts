import type { Readable } from 'node:stream'

/** A file in an archive. */
export type ArchiveEntry = {
  /** As rows name it: without `./` before it. */
  name: string
  /** Unpacked, in bytes, as the archive says. */
  size: number
  open: () => Promise<AsyncIterable<Buffer> | Readable>
}

/** Why a name is not taken; undefined for one that is. */
export function refuseName(name: string): string | undefined {
  if (name.length > 1024) return 'has a name of more than 1024 characters'
  if (name.includes('\0') || name.includes('\\'))
    return 'has a name with a character that no path has'
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'has an absolute path'
  if (name.split('/').includes('..')) return 'has a path that climbs out of the archive'
  return undefined
}

export function plainName(name: string): string {
  return name.replace(/^(?:\.\/)+/, '')
}
