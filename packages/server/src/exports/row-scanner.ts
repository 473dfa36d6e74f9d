import type { SnapshotRows } from '../views/snapshot.ts'

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const closing = 0x5d
const n = 0x6e

/** Finds the cells of rows in the JSON that they came in, without making anything of them. */
export class RowScanner {
  readonly bytes: Uint8Array
  /** Of the current row, where the JSON of each cell begins and ends. */
  readonly starts: number[] = []
  readonly ends: number[] = []
  #at = 0

  constructor(rows: SnapshotRows) {
    this.bytes = rows
  }

  /** Goes to the next row; false where there is none. */
  next(): boolean {
    const { bytes, starts, ends } = this
    let at = this.#at
    if (at >= bytes.length) return false
    let cell = 0
    do {
      // What opens the row, or ends the cell before.
      at += 1
      starts[cell] = at
      if (bytes[at] === quote) {
        at += 1
        for (let byte = bytes[at]; byte !== quote; byte = bytes[at])
          at += byte === backslash ? 2 : 1
        at += 1
      } else {
        while (bytes[at] !== comma && bytes[at] !== closing) at += 1
      }
      ends[cell] = at
      cell += 1
    } while (bytes[at] === comma)
    // Its end, and the comma before the next row.
    this.#at = at + 2
    return true
  }

  /** Bytes of the JSON of the current row. */
  get length(): number {
    return this.ends.at(-1)! - this.starts[0]! + 2
  }

  /** Whether a cell of the current row is missing. */
  isNull(cell: number): boolean {
    return this.bytes[this.starts[cell]!] === n
  }

  /** The number that a cell of the current row is. */
  numberAt(cell: number): number {
    let number = 0
    for (let at = this.starts[cell]!; at < this.ends[cell]!; at += 1) {
      number = number * 10 + (this.bytes[at]! - 0x30)
    }
    return number
  }
}
