import { beginsPlain } from './plain-cell.ts'
import type { RowLists } from './row-writer.ts'

const [quote, comma, backslash, closing] = [0x22, 0x2c, 0x5c, 0x5d]
const [zero, nine, n] = [0x30, 0x39, 0x6e]

const utf8 = new TextDecoder()

/**
 * Goes through rows cell by cell in the JSON that they came in, and copies what is wanted of it among other
 * bytes. Nothing is made of a cell, and each of its bytes is looked at once.
 */
export class CellCopier {
  readonly #rows: Uint8Array
  readonly #copied: Uint8Array<ArrayBuffer>
  /** The byte before the next cell, or that ends its row. */
  #at = 0
  #length = 0

  /** The most bytes that anything beside cells takes. */
  constructor({ bytes }: RowLists, besideCells: number) {
    this.#rows = bytes
    this.#copied = new Uint8Array(bytes.length + besideCells)
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

  /** Puts bytes in the place of the last one that was put. */
  endWith(bytes: Uint8Array): void {
    this.#length -= 1
    this.put(bytes)
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
    const from = this.#at + 1
    let number = 0
    let isWhole = true
    let at = from
    for (let byte = rows[at]!; byte !== comma && byte !== closing; byte = rows[at]!) {
      isWhole &&= byte >= zero && byte <= nine
      // The digit first: the sum with its code may be beyond 2^53.
      number = number * 10 + (byte - zero)
      at += 1
    }
    this.#at = at
    // Beyond 2^53 a sum of digits is not the nearest double.
    return isWhole && number <= Number.MAX_SAFE_INTEGER
      ? number
      : Number(utf8.decode(rows.subarray(from, at)))
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
    return JSON.parse(utf8.decode(rows.subarray(from, at + 1)))
  }
}
