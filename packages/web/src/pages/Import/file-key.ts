import { sha256 } from '../../data/sha256.ts'

/** How much of a file's beginning tells it from others of the same name, size and time. */
const headBytes = 64 * 1024

/**
 * Makes the prefix of the keys of all imports of a file: its name for people, and digits that follow from
 * its name, size, time and first bytes. So the same file chosen again finds its import, after a reload
 * and in another browser, and nothing need be kept here.
 */
export async function fileKey(file: File): Promise<string> {
  const { name, size, lastModified } = file
  const head = await file.slice(0, headBytes).arrayBuffer()
  const about = new TextEncoder().encode(JSON.stringify([name, size, lastModified]))
  const digest = await sha256(new Blob([about, head]), { onProgress: () => {} })
  const digits = digest.slice(0, 16)
  const readable = name.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  return `${readable.slice(0, 64)}${readable === '' ? '' : '-'}${digits}`
}

/** The key of one import of a file, or of one with corrections, whose bytes are others. */
export function newImportKey(fileKey: string, at: Date, { isCorrected = false } = {}): string {
  return `${fileKey}${isCorrected ? '.corrected' : ''}-${at.getTime().toString(36)}`
}

/** The key of the file that an import is of; undefined where another program made the key. */
export function fileKeyOf(importKey: string): string | undefined {
  return /^(.*[0-9a-f]{16})(?:\.corrected)?-[0-9a-z]+$/.exec(importKey)?.[1]
}

/** Whether the file of an import was sent with corrections. */
export function isCorrected(importKey: string): boolean {
  return /\.corrected-[0-9a-z]+$/.test(importKey)
}

/** The part of a key that people know, where this program made it. */
export function fileNameOf(importKey: string): string {
  return importKey.replace(/-[0-9a-f]{16}(?:\.corrected)?-[0-9a-z]+$/, '')
}
