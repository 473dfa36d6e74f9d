import type { SnapshotRows } from '../../server/src/reading/snapshot.ts'
import { beginsPlain } from './plain-cell.ts'

const [quote, comma, backslash, closing] = [0x22, 0x2c, 0x5c, 0x5d]
const [zero, n] = [0x30, 0x6e]

/**
 * Goes through rows cell by cell in the JSON that they came in, and copies what is wanted of it among other
 * bytes. Nothing is made of a cell, and each of its bytes is looked at once.
 */
export class CellCopier {
  readonly #rows: Uint8Array
  readonly #copied: Buffer<ArrayBuffer>
  /** The byte before the next cell, or that ends its row. */
  #at = 0
  #length = 0

  /** What is put beside cells takes no more than so many bytes. */
  constructor({ bytes }: SnapshotRows, besideCells: number) {
    this.#rows = bytes
    this.#copied = Buffer.allocUnsafeSlow(bytes.length + besideCells)
  }

  get copied(): Uint8Array<ArrayBuffer> {
    return this.#copied.subarray(0, this.#length)
  }

  put(bytes: Uint8Array): void {
    const copied = this.#copied
    const length = this.#length
    for (let index = 0; index < bytes.length; index += 1) copied[length + index] = bytes[index]!
    this.#length = length + bytes.length
  }

  /** Goes to the next row, after the last cell of one. */
  endRow(): void {
    this.#at += 2
  }

  /** Passes over the next cell, where it is missing. */
  skipNull(): boolean {
    if (this.#rows[this.#at + 1] !== n) return false
    this.#at += 'null'.length + 1
    return true
  }

  takeNumber(): number {
    const rows = this.#rows
    let number = 0
    let at = this.#at + 1
    for (let byte = rows[at]!; byte !== comma && byte !== closing; byte = rows[at]!) {
      number = number * 10 + byte - zero
      at += 1
    }
    this.#at = at
    return number
  }

  copyNumber(): void {
    const [rows, copied] = [this.#rows, this.#copied]
    let length = this.#length
    let at = this.#at + 1
    for (let byte = rows[at]!; byte !== comma && byte !== closing; byte = rows[at]!) {
      copied[length] = byte
      length += 1
      at += 1
    }
    this.#at = at
    this.#length = length
  }

  /** Copies a text in JSON. */
  copyText(): void {
    const [rows, copied] = [this.#rows, this.#copied]
    let length = this.#length
    let at = this.#at + 1
    copied[length] = quote
    let byte
    do {
      length += 1
      at += 1
      byte = rows[at]!
      copied[length] = byte
      if (byte === backslash) {
        length += 1
        at += 1
        copied[length] = rows[at]!
      }
    } while (byte !== quote)
    this.#at = at + 1
    this.#length = length + 1
  }

  /** Copies a text without quotes, if it begins as no formula does and all of its bytes are plain ones. */
  copyPlain(isPlain: Uint8Array): boolean {
    const [rows, copied] = [this.#rows, this.#copied]
    let length = this.#length
    let at = this.#at + 2
    if (!beginsPlain(rows, at)) return false
    let byte = rows[at]!
    while (isPlain[byte] === 1) {
      copied[length] = byte
      length += 1
      at += 1
      byte = rows[at]!
    }
    if (byte !== quote) return false
    this.#at = at + 1
    this.#length = length
    return true
  }

  takeText(): string {
    const rows = this.#rows
    const from = this.#at + 1
    let at = from + 1
    for (let byte = rows[at]!; byte !== quote; byte = rows[at]!) at += byte === backslash ? 2 : 1
    this.#at = at + 1
    return JSON.parse(Buffer.from(rows.subarray(from, at + 1)).toString())
  }
}
