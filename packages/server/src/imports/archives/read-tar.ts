// Runs on the main thread.

import { quote } from '@vitrine/contract'
import { type ImportedFile, malformed } from '../import-file.ts'
import { type ArchiveEntry, plainName } from './archive-entry.ts'
import { WindowedFile } from './windowed-file.ts'

const blockBytes = 512
/** Header values in blocks of their own, such as long names. */
const extensionMax = 64 * 1024

const regular = ['0', '\0', '7']
const folder = '5'

/**
 * Lists the files of a tar archive (POSIX.1-2024, pax, "pax Interchange Format" and "ustar"; long names of
 * GNU tar).
 * @throws Failure IMPORT_MALFORMED
 */
export async function* readTar(imported: ImportedFile): AsyncGenerator<ArchiveEntry> {
  const file = new WindowedFile(imported)
  let extended: { path?: string; size?: number } = {}
  for (let at = 0; at < file.size;) {
    const header = await file.read(at, Math.min(at + blockBytes, file.size))
    if (header.length < blockBytes) throw malformed('is a tar archive that is cut off')
    if (header.every((byte) => byte === 0)) return
    if (!hasChecksum(header)) throw malformed('is no tar archive')
    const type = header.toString('latin1', 156, 157)
    const size = extended.size ?? readNumber(header.subarray(124, 136))
    const start = at + blockBytes
    const end = start + size
    if (!Number.isSafeInteger(end) || end > file.size) {
      throw malformed('is a tar archive that is cut off')
    }
    at = start + Math.ceil(size / blockBytes) * blockBytes
    if (type === 'x' || type === 'L') {
      if (size > extensionMax) throw malformed('is no tar archive')
      const bytes = await file.read(start, end)
      const attributes = type === 'x' ? readPax(bytes) : { path: readText(bytes) }
      Object.assign(extended, attributes)
      continue
    }
    if (type === 'g') continue
    const name = plainName(extended.path ?? nameOf(header))
    extended = {}
    if (type === folder) continue
    if (!regular.includes(type)) {
      throw malformed(`the entry ${quote(name)} is a link, or no file`)
    }
    yield { name, size, open: async () => file.stream(start, end) }
  }
  // An archive ends in blocks of zeros.
  throw malformed('is a tar archive that is cut off')
}

function hasChecksum(header: Buffer): boolean {
  const checksum = readNumber(header.subarray(148, 156))
  let sum = 0
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 0x20 : byte
  return sum === checksum
}

/** Octal digits, or, of what is too large for them, bytes after a set first bit. */
function readNumber(bytes: Buffer): number {
  if ((bytes[0]! & 0x80) === 0) return Number.parseInt(readText(bytes).trim() || '0', 8)
  return bytes.subarray(1).reduce((value, byte) => value * 256 + byte, bytes[0]! & 0x7f)
}

function nameOf(header: Buffer): string {
  const name = readText(header.subarray(0, 100))
  const prefix =
    header.toString('latin1', 257, 262) === 'ustar' ? readText(header.subarray(345, 500)) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

function readText(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  const text = bytes.subarray(0, end === -1 ? bytes.length : end)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(text)
  } catch {
    // Older archives have names in what was the encoding of their system.
    return text.toString('latin1')
  }
}

/** Records of `<length> <key>=<value>\n`, the length in bytes and with itself. */
function readPax(bytes: Buffer): { path?: string; size?: number } {
  const attributes: { path?: string; size?: number } = {}
  for (let at = 0; at < bytes.length;) {
    const gap = bytes.indexOf(0x20, at)
    const length = Number(bytes.toString('latin1', at, gap))
    if (gap === -1 || !(length > 0)) throw malformed('is no tar archive')
    const record = bytes.toString('utf8', gap + 1, at + length - 1)
    const split = record.indexOf('=')
    const [key, value] = [record.slice(0, split), record.slice(split + 1)]
    if (key === 'path') attributes.path = value
    if (key === 'size') attributes.size = Number(value)
    at += length
  }
  return attributes
}
