/** Fewer bytes than this are copied faster one by one. */
const blockBytes = 64

/** Bytes that are written one after the other. */
export class WrittenBytes {
  #bytes: Buffer<ArrayBuffer>
  #at = 0

  constructor(expected: number) {
    this.#bytes = Buffer.allocUnsafeSlow(expected)
  }

  get written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#at)
  }

  /** Makes room for so many bytes, which are then put without asking for it again. */
  reserve(count: number): void {
    if (this.#at + count <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#at + count, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
  }

  put(byte: number): void {
    this.#bytes[this.#at] = byte
    this.#at += 1
  }

  copy(source: Uint8Array, from = 0, to = source.length): void {
    const bytes = this.#bytes
    let at = this.#at
    if (to - from < blockBytes) {
      for (let index = from; index < to; index += 1) bytes[at++] = source[index]!
      this.#at = at
    } else {
      bytes.set(source.subarray(from, to), at)
      this.#at = at + to - from
    }
  }
}
