import { hash } from 'node:crypto'
import type { SchemaField } from '@vitrine/contract'
import { noDigest } from '../../store/no-digest.ts'
import type { CheckedRow } from './check-rows.ts'
import { laneCount } from './sha256-code.ts'
import { growMemory, laneBytesMax, nowhere, openLanes, spareOf } from './sha256-lanes.ts'

// Checked rows wait for publication in lines of `<how many> <JSON list of rows>`, in which each row is
// the list of its digests, as the item table has them, and its cells.

/** Rows of one list: it is taken apart as a whole. */
const listRowsMax = 500
const countDigits = 3

const startBytes = 1024 ** 2

const lineFeed = 0x0a
const space = 0x20
const quote = 0x22
const comma = 0x2c
const zero = 0x30
const backslash = 0x5c
const beyondAscii = 0x7f

/** Packs checked rows, and hashes their values on the way, as they lie there already. */
export class RowPacker {
  /** Of each cell of a row, where in its digests its own one begins; -1 of a binary's. */
  readonly #digestsAt: readonly number[]
  readonly #digestBytes: number
  readonly #lanes = openLanes()
  /** Of what is to be hashed next, for each lane where it is, its length, and where its digest goes. */
  readonly #places = new Int32Array(laneCount * 3)
  #taken = 0
  #bytes = growMemory(this.#lanes.memory, startBytes)
  #at = this.#lanes.start
  #listAt = 0
  #listRows = 0

  constructor(schema: readonly SchemaField[]) {
    let digestAt = 0
    this.#digestsAt = schema.flatMap(({ type }) => {
      if (type === 'binary') return [-1, -1, -1]
      digestAt += noDigest.length
      return [digestAt - noDigest.length]
    })
    this.#digestBytes = digestAt
  }

  add(cells: CheckedRow): void {
    if (this.#listRows === listRowsMax) this.#endList()
    if (this.#listRows === 0) this.#beginList()
    else this.#putAscii(',')
    this.#listRows += 1
    this.#putAscii('["')
    const digestsAt = this.#at
    this.#reserve(this.#digestBytes)
    this.#at += this.#digestBytes
    this.#putAscii('"')
    for (let index = 0; index < cells.length; index += 1) {
      const digestAt = this.#digestsAt[index]!
      this.#putCell(cells[index]!, digestAt === -1 ? -1 : digestsAt + digestAt)
    }
    this.#putAscii(']')
  }

  /** What was packed since it was taken the last time, as bytes of their own. */
  take(): Uint8Array<ArrayBuffer> {
    if (this.#listRows > 0) this.#endList()
    this.#hashLanes()
    const packed = new Uint8Array(this.#bytes.subarray(this.#lanes.start, this.#at))
    this.#at = this.#lanes.start
    return packed
  }

  #beginList(): void {
    this.#listAt = this.#at
    this.#putAscii(`${'0'.repeat(countDigits)} [`)
  }

  #endList(): void {
    this.#putAscii(']\n')
    this.#bytes.write(String(this.#listRows).padStart(countDigits, '0'), this.#listAt)
    this.#listRows = 0
  }

  #putCell(cell: CheckedRow[number], digestAt: number): void {
    if (cell === null) {
      this.#putAscii(',null')
      if (digestAt !== -1) this.#bytes.fill(zero, digestAt, digestAt + noDigest.length)
    } else if (typeof cell === 'number') {
      this.#putAscii(',')
      const from = this.#at
      this.#putAscii(String(cell))
      if (digestAt !== -1) this.#hash(from, this.#at - from, digestAt)
    } else {
      this.#putText(cell, digestAt)
    }
  }

  #putText(text: string, digestAt: number): void {
    const { length } = text
    this.#reserve(length + 3)
    const bytes = this.#bytes
    let at = this.#at + 2
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index)
      if (code < space || code >= beyondAscii || code === quote || code === backslash) {
        this.#putEscaped(text, digestAt)
        return
      }
      bytes[at++] = code
    }
    bytes[this.#at] = comma
    bytes[this.#at + 1] = quote
    bytes[at] = quote
    const from = this.#at + 2
    this.#at = at + 1
    if (digestAt !== -1) this.#hash(from, length, digestAt)
  }

  #putEscaped(text: string, digestAt: number): void {
    const json = `,${JSON.stringify(text)}`
    this.#reserve(Buffer.byteLength(json))
    this.#at += this.#bytes.write(json, this.#at)
    if (digestAt === -1) return
    const bytes = Buffer.from(text)
    if (bytes.length > laneBytesMax) {
      this.#bytes.write(hash('sha256', bytes), digestAt, 'latin1')
      return
    }
    const from = spareOf(this.#taken)
    this.#bytes.set(bytes, from)
    this.#hash(from, bytes.length, digestAt)
  }

  #hash(from: number, length: number, digestAt: number): void {
    if (length > laneBytesMax) {
      const digest = hash('sha256', this.#bytes.subarray(from, from + length))
      this.#bytes.write(digest, digestAt, 'latin1')
      return
    }
    const place = this.#taken * 3
    this.#places[place] = from
    this.#places[place + 1] = length
    this.#places[place + 2] = digestAt
    this.#taken += 1
    if (this.#taken === laneCount) this.#hashLanes()
  }

  #hashLanes(): void {
    const places = this.#places
    for (let place = this.#taken * 3; place < places.length; place += 3) {
      places[place + 1] = 0
      places[place + 2] = nowhere
    }
    this.#taken = 0
    // One by one, as a list of arguments would take longer to hand over than they to be hashed.
    // prettier-ignore
    this.#lanes.hash(
      places[0]!, places[1]!, places[2]!,
      places[3]!, places[4]!, places[5]!,
      places[6]!, places[7]!, places[8]!,
      places[9]!, places[10]!, places[11]!,
    )
  }

  #putAscii(text: string): void {
    this.#reserve(text.length)
    for (let index = 0; index < text.length; index += 1) {
      this.#bytes[this.#at++] = text.charCodeAt(index)
    }
  }

  #reserve(bytes: number): void {
    const needed = this.#at + bytes
    if (needed <= this.#bytes.length) return
    this.#bytes = growMemory(this.#lanes.memory, Math.max(needed, this.#bytes.length * 2))
  }
}

/** The lists of rows in packed bytes, each with how many they are. */
export function* unpackRows(
  bytes: Uint8Array<ArrayBuffer>,
): Generator<{ count: number; rows: Uint8Array<ArrayBuffer> }> {
  const text = Buffer.from(bytes.buffer)
  for (let from = 0; from < bytes.length;) {
    const end = text.indexOf(lineFeed, from)
    const gap = from + countDigits
    yield { count: Number(text.toString('latin1', from, gap)), rows: bytes.subarray(gap + 1, end) }
    from = end + 1
  }
}
