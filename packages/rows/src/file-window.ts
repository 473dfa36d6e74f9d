import type { AsyncBuffer } from 'hyparquet'

/** Bytes read ahead: a column of a small group comes with one read. */
const aheadBytes = 64 * 1024

/** A stretch of a file that is read from its start on, in pieces of any length. */
export class FileWindow {
  readonly #file: AsyncBuffer
  readonly #end: number
  #start = 0
  #bytes = new Uint8Array()

  /** `end` is where the stretch ends. */
  constructor(file: AsyncBuffer, end: number) {
    this.#file = file
    this.#end = end
  }

  /** Returns up to `length` bytes from an offset. */
  async at(offset: number, length: number): Promise<Uint8Array> {
    const end = Math.min(offset + length, this.#end)
    if (offset < this.#start || end > this.#start + this.#bytes.length) {
      const readEnd = Math.min(end + aheadBytes, this.#end)
      this.#bytes = new Uint8Array(await this.#file.slice(offset, Math.max(offset, readEnd)))
      this.#start = offset
    }
    return this.#bytes.subarray(offset - this.#start, Math.max(offset, end) - this.#start)
  }
}
