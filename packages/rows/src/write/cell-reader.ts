import type { RowLists } from './row-lists.ts'

export const [space, quote, comma, opening, backslash, closing] = [
  0x20, 0x22, 0x2c, 0x5b, 0x5c, 0x5d,
]
const [zero, nine, n] = [0x30, 0x39, 0x6e]

const utf8 = new TextDecoder()

/** Cursor over rows, cell by cell, in the JSON that they came in. */
export class CellReader {
  protected readonly rows: Uint8Array
  /** The byte before the next cell, or that ends its row. */
  protected at = 0

  constructor({ bytes }: RowLists) {
    this.rows = bytes
  }

  /** Goes to the next row, after the last cell of one. */
  endRow(): void {
    this.at += 2
  }

  /** Passes over the next cell, where it is missing. */
  skipNull(): boolean {
    if (this.rows[this.at + 1] !== n) return false
    this.at += 'null'.length + 1
    return true
  }

  takeNumber(): number {
    const rows = this.rows
    const from = this.at + 1
    let number = 0
    let isWhole = true
    let at = from
    for (let byte = rows[at]!; byte !== comma && byte !== closing; byte = rows[at]!) {
      isWhole &&= byte >= zero && byte <= nine
      // The digit first: the sum with its code may be beyond 2^53.
      number = number * 10 + (byte - zero)
      at += 1
    }
    this.at = at
    // Beyond 2^53 a sum of digits is not the nearest double.
    return isWhole && number <= Number.MAX_SAFE_INTEGER
      ? number
      : Number(utf8.decode(rows.subarray(from, at)))
  }

  takeText(): string {
    const rows = this.rows
    const from = this.at + 1
    let at = from + 1
    for (let byte = rows[at]!; byte !== quote; byte = rows[at]!) at += byte === backslash ? 2 : 1
    this.at = at + 1
    return JSON.parse(utf8.decode(rows.subarray(from, at + 1)))
  }

  /**
   * Takes a text without escapes into `target`, and returns where it ends there; -1 where it has escapes or there is
   * no room for it: `takeText` takes it then.
   */
  takePlain(target: Uint8Array, targetAt: number): number {
    const rows = this.rows
    const room = target.length
    let end = targetAt
    let at = this.at + 2
    for (let byte = rows[at]!; byte !== quote; byte = rows[at]!) {
      if (byte === backslash || end === room) return -1
      target[end] = byte
      end += 1
      at += 1
    }
    this.at = at + 1
    return end
  }
}
