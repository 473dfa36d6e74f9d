import { Gunzip } from 'fflate'
import { UnreadableFile } from './row-batch.ts'
import { startBytes, textStart } from './text-start.ts'
import { toUtf8 } from './to-utf8.ts'
import { unpackedMax, unpacksTooFar } from './unpacked-bound.ts'

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
