// Runs where a file is read: on the main thread of the server, in browsers, on the command line.

import { Gunzip } from 'fflate'
import { UnreadableFile } from '../row-batch.ts'
import { toUtf8 } from './detect-encoding.ts'
import { unpackedMax, unpacksTooFar } from '../unpacked-bound.ts'

/** How much of a file is read at a time. */
const pieceBytes = 1024 * 1024
/** How much of it is unpacked at a time: a thousand times as much may come of it. */
const packedBytes = 64 * 1024
/** How much of it is enough to tell its encoding. */
const headBytes = 64 * 1024

/** A file of text, which gzip may have packed. */
export class TextSource {
  readonly #file: Blob
  readonly #encoding: string | undefined
  /** How far in the file reading is. */
  bytesRead = 0

  /** @param encoding of the text, where it is not UTF-8 */
  constructor(file: Blob, encoding?: string) {
    this.#file = file
    this.#encoding = encoding === 'utf-8' ? undefined : encoding
  }

  /** The first bytes as they are unpacked: a source is read once. */
  async head(): Promise<Uint8Array> {
    for await (const piece of await this.#open()) return piece.subarray(0, headBytes)
    return new Uint8Array()
  }

  /**
   * The text as it is unpacked, in UTF-8 and without a byte order mark.
   * @throws UnreadableFile
   */
  async *text(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const bytes = await this.#open()
    let begun: Uint8Array<ArrayBuffer> | undefined = new Uint8Array()
    for await (const piece of this.#encoding === undefined
      ? bytes
      : toUtf8(bytes, this.#encoding)) {
      if (begun === undefined) yield piece
      else {
        begun = new Uint8Array(await new Blob([begun, piece]).arrayBuffer())
        if (begun.length < startBytes) continue
        yield begun.subarray(textStart(begun))
        begun = undefined
      }
    }
    if (begun !== undefined) yield begun.subarray(textStart(begun))
  }

  async #open(): Promise<AsyncGenerator<Uint8Array<ArrayBuffer>>> {
    const head = new Uint8Array(await this.#file.slice(0, 2).arrayBuffer())
    return head[0] === 0x1f && head[1] === 0x8b ? this.#unpacked() : this.#pieces()
  }

  async *#pieces(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    while (this.bytesRead < this.#file.size) yield await this.#next()
  }

  async #next(): Promise<Uint8Array<ArrayBuffer>> {
    const piece = this.#file.slice(this.bytesRead, this.bytesRead + pieceBytes)
    this.bytesRead += piece.size
    return new Uint8Array(await piece.arrayBuffer())
  }

  /** Unpacks gzip (RFC 1952), of which a file may have several members, as far as an import would. */
  async *#unpacked(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    // A `DecompressionStream` ends with the first member.
    let unpacked: Uint8Array<ArrayBuffer>[] = []
    const gunzip = new Gunzip((bytes) => unpacked.push(bytes))
    let left = unpackedMax(this.#file.size)
    for await (const piece of this.#pieces()) {
      for (let at = 0; at < piece.length; at += packedBytes) {
        const isLast = this.bytesRead === this.#file.size && at + packedBytes >= piece.length
        try {
          gunzip.push(piece.subarray(at, at + packedBytes), isLast)
        } catch (cause) {
          throw new UnreadableFile('is packed by gzip, and cannot be unpacked', { cause })
        }
        for (const bytes of unpacked) {
          left -= bytes.length
          if (left < 0) throw new UnreadableFile(unpacksTooFar)
          if (bytes.length > 0) yield bytes
        }
        unpacked = []
      }
    }
  }
}

/** Both begin alike, as Compound File Binary ([MS-CFB] §2.2). */
const oldWorkbook =
  'is a workbook of before 2007 (.xls), or has a password: save it as .xlsx without one'

/** How files begin that are no text in UTF-8. */
const beginnings: [bytes: readonly number[], reason: string][] = [
  [[0xff, 0xfe], 'is text in UTF-16: say so by its encoding, utf-16le'],
  [[0xfe, 0xff], 'is text in UTF-16: say so by its encoding, utf-16be'],
  [[0x1f, 0x8b], 'is compressed by gzip, and must be sent unpacked'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'is compressed by zstd, and must be sent unpacked'],
  [[0x50, 0x4b, 0x03, 0x04], 'is a zip archive or a workbook: say so by its format, zip or xlsx'],
  [[0x50, 0x41, 0x52, 0x31], 'is a Parquet file: say so by its format, parquet'],
  [
    [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31, 0, 0],
    'is an Arrow file: save it as Parquet, which keeps its types',
  ],
  [[0x25, 0x50, 0x44, 0x46], 'is a PDF, which has no rows: save its table as CSV or .xlsx'],
  [[0xd0, 0xcf, 0x11, 0xe0], oldWorkbook],
]
const byteOrderMark = [0xef, 0xbb, 0xbf]

/** Returns why a file holds no rows in a format of text, by its first bytes. */
export function notRows(head: Uint8Array): string | undefined {
  return beginnings.find(([bytes]) => bytes.every((byte, at) => head[at] === byte))?.[1]
}

/** How many of the first bytes of a file tell where its text begins. */
export const startBytes = 8

/**
 * Returns where the text of a file begins, by its first bytes.
 * @throws UnreadableFile where it is no text in UTF-8
 */
export function textStart(head: Uint8Array): number {
  const reason = notRows(head)
  if (reason !== undefined) throw new UnreadableFile(reason)
  // No text begins with U+0000 among its first characters, and of UTF-16 every other byte is 0.
  if (head.subarray(0, 4).includes(0)) {
    throw new UnreadableFile(
      'is no text, or is text in UTF-16: say so by its encoding, utf-16le or utf-16be',
    )
  }
  return byteOrderMark.every((byte, at) => head[at] === byte) ? byteOrderMark.length : 0
}
