import { CellReader, backslash, closing, comma, quote } from './cell-reader.ts'
import { beginsPlain } from './plain-cell.ts'
import type { RowLists } from './row-lists.ts'

/**
 * Copies cells as they stand in the JSON that they came in, among other bytes. Nothing is made of a cell, and each
 * of its bytes is looked at once.
 */
export class CellCopier extends CellReader {
  readonly #copied: Uint8Array<ArrayBuffer>
  #length = 0

  /** The most bytes that anything beside cells takes. */
  constructor(rows: RowLists, besideCells: number) {
    super(rows)
    this.#copied = new Uint8Array(rows.bytes.length + besideCells)
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

  copyNumber(): void {
    const [rows, copied] = [this.rows, this.#copied]
    let length = this.#length
    let at = this.at + 1
    for (let byte = rows[at]!; byte !== comma && byte !== closing; byte = rows[at]!) {
      copied[length] = byte
      length += 1
      at += 1
    }
    this.at = at
    this.#length = length
  }

  /** Copies a text in JSON. */
  copyText(): void {
    const [rows, copied] = [this.rows, this.#copied]
    let length = this.#length
    let at = this.at + 1
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
    this.at = at + 1
    this.#length = length + 1
  }

  /** Copies a text without quotes, if it begins as no formula does and all of its bytes are plain ones. */
  copyPlain(isPlain: Uint8Array): boolean {
    const [rows, copied] = [this.rows, this.#copied]
    let length = this.#length
    let at = this.at + 2
    if (!beginsPlain(rows, at)) return false
    let byte = rows[at]!
    while (isPlain[byte] === 1) {
      copied[length] = byte
      length += 1
      at += 1
      byte = rows[at]!
    }
    if (byte !== quote) return false
    this.at = at + 1
    this.#length = length
    return true
  }
}
