import { limits } from '@vitrine/contract/limits'
import { UnreadableFile } from '../row-batch.ts'

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder('utf-8', { ignoreBOM: true }) }

/** Bytes of the texts that a workbook may share between its cells: they are in memory together. */
const bytesMax = 256 * 1024 ** 2

/** Texts that cells name by their number, kept as UTF-8 in one piece, outside of what is collected. */
export class SharedTexts {
  #bytes = new Uint8Array(64 * 1024)
  #ends = new Uint32Array(1024)
  #count = 0

  /** @throws UnreadableFile */
  add(text: string): void {
    const from = this.#count === 0 ? 0 : this.#ends[this.#count - 1]!
    const needed = from + text.length * 3
    if (needed > this.#bytes.length) {
      if (from + text.length > bytesMax) {
        throw new UnreadableFile(
          `has more than ${bytesMax / 1024 ** 2} MiB of text that its cells share: save it as CSV`,
        )
      }
      this.#bytes = grown(this.#bytes, needed)
    }
    if (this.#count === this.#ends.length) {
      const ends = new Uint32Array(this.#count * 2)
      ends.set(this.#ends)
      this.#ends = ends
    }
    const { written } = utf8.encoder.encodeInto(text, this.#bytes.subarray(from))
    this.#ends[this.#count] = from + written
    this.#count += 1
  }

  get(index: number): string | undefined {
    if (!(index >= 0 && index < this.#count)) return undefined
    const from = index === 0 ? 0 : this.#ends[index - 1]!
    return utf8.decoder.decode(this.#bytes.subarray(from, this.#ends[index]))
  }
}

function grown(bytes: Uint8Array<ArrayBuffer>, needed: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(
    Math.min(Math.max(needed, bytes.length * 2), bytesMax + limits.rowBytes * 3),
  )
  larger.set(bytes)
  return larger
}
