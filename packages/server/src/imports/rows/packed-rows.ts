// Packs in a checking thread, unpacks on the main thread.

import { hash } from 'node:crypto'
import type { SchemaField } from '@vitrine/contract'
import { textOf } from '@vitrine/contract/values/index'
import {
  growMemory,
  laneBytesMax,
  laneCount,
  nowhere,
  openLanes,
  spareOf,
} from '@vitrine/sha256-lanes'
import { digestBytes, putSha256 } from '../../store/digest-bytes.ts'
import type { CheckedRows, RowCorrection } from '../../store/import-items.ts'
import type { CheckedRow } from './check-rows.ts'
import { prepareSealTexts } from './row-seals.ts'

// Checked rows wait for publication in lists, each of a head, the digests of its rows, the rows as JSON,
// their seals, the items that they correct, and why. The head is three numbers of 32 bits, little-endian: how many rows, bytes of
// digests, bytes of JSON. The highest bit of the first says that there are seals: what was checked by older versions has none.
// The next one says that rows correct items: then each has the id of its item as a double, below 0 where it withdraws it, 0 where
// there is none. The third says that rows have reasons: bytes of a JSON list of these, null of a row without, and the list.

/** Rows of one list: it is taken apart as a whole. */
const listRowsMax = 500
const headBytes = 12
const hasSeals = 0x8000_0000
const hasReplaced = 0x4000_0000
const hasReasons = 0x2000_0000
const idBytes = 8
const lengthBytes = 4
const noCorrection: RowCorrection = { replaces: 0, withdraws: false }

const startBytes = 1024 ** 2

const space = 0x20
const quote = 0x22
const comma = 0x2c
const bracket = 0x5b
const backslash = 0x5c
const beyondAscii = 0x7f

/** Packs checked rows, and hashes their values on the way, as they lie there already. */
export class RowPacker {
  /** Offset of the digest of each cell within the digests of its row; -1 for binaries. */
  readonly #digestAts: readonly number[]
  readonly #rowDigestBytes: number
  readonly #sealTextOf: ReturnType<typeof prepareSealTexts>
  /** Digest and media type of each binary, row by row. */
  readonly #binaries: (string | null)[] = []
  readonly #binaryAts: readonly number[]
  readonly #lanes = openLanes()
  /** Per lane: input offset, input length, output offset (bytes). */
  readonly #places = new Int32Array(laneCount * 3)
  #taken = 0
  #bytes = growMemory(this.#lanes.memory, startBytes)
  #at = this.#lanes.start
  #listAt = 0
  #listRows = 0
  /** Corrections that the rows of the list are. */
  #corrections: (RowCorrection | undefined)[] = []
  /** Offset of the digests of the next row. */
  #digestsAt = 0
  #jsonAt = 0

  constructor(schema: readonly SchemaField[]) {
    let digestAt = 0
    let column = 0
    const binaryAts: number[] = []
    this.#digestAts = schema.flatMap((field) => {
      column += 1
      if (textOf(field) === undefined) {
        binaryAts.push(column - 1, column)
        column += 2
        return [-1, -1, -1]
      }
      digestAt += digestBytes
      return [digestAt - digestBytes]
    })
    this.#binaryAts = binaryAts
    this.#rowDigestBytes = digestAt
    this.#sealTextOf = prepareSealTexts(schema)
  }

  add(cells: CheckedRow, correction?: RowCorrection): void {
    if (this.#listRows === listRowsMax) this.#endList()
    if (this.#listRows === 0) this.#beginList()
    else this.#putAscii(',')
    this.#listRows += 1
    this.#corrections.push(correction)
    const rowAt = this.#at
    for (let index = 0; index < cells.length; index += 1) {
      const digestAt = this.#digestAts[index]!
      this.#putCell(cells[index]!, digestAt === -1 ? -1 : this.#digestsAt + digestAt)
    }
    for (const at of this.#binaryAts) this.#binaries.push(cells[at] as string | null)
    this.#putAscii(']')
    // In the place of the comma before the first cell.
    this.#bytes[rowAt] = bracket
    this.#digestsAt += this.#rowDigestBytes
  }

  /** Returns the rows packed since the last call, in a buffer of their own. */
  take(): Uint8Array<ArrayBuffer> {
    if (this.#listRows > 0) this.#endList()
    this.#hashLanes()
    const packed = new Uint8Array(this.#bytes.subarray(this.#lanes.start, this.#at))
    this.#at = this.#lanes.start
    return packed
  }

  #beginList(): void {
    this.#listAt = this.#at
    this.#digestsAt = this.#at + headBytes
    this.#jsonAt = this.#digestsAt + listRowsMax * this.#rowDigestBytes
    this.#reserve(this.#jsonAt - this.#at)
    this.#at = this.#jsonAt
    this.#putAscii('[')
  }

  #endList(): void {
    this.#putAscii(']')
    if (this.#digestsAt < this.#jsonAt) this.#closeGap()
    const digestsFrom = this.#listAt + headBytes
    const isReplacing = this.#corrections.some((correction) => correction !== undefined)
    const isReasoned = this.#corrections.some((correction) => correction?.reason !== undefined)
    const flags = hasSeals | (isReplacing ? hasReplaced : 0) | (isReasoned ? hasReasons : 0)
    this.#bytes.writeUInt32LE((this.#listRows | flags) >>> 0, this.#listAt)
    this.#bytes.writeUInt32LE(this.#digestsAt - digestsFrom, this.#listAt + 4)
    this.#bytes.writeUInt32LE(this.#at - this.#digestsAt, this.#listAt + 8)
    this.#putSeals(digestsFrom)
    if (isReplacing) this.#putReplaced()
    if (isReasoned) this.#putReasons()
    this.#corrections = []
    this.#listRows = 0
  }

  #putSeals(digestsFrom: number): void {
    this.#hashLanes()
    this.#reserve(this.#listRows * digestBytes)
    const digests = this.#bytes.toString('hex', digestsFrom, this.#digestsAt)
    const held = this.#binaryAts.length
    for (let row = 0; row < this.#listRows; row += 1) {
      const from = 2 * row * this.#rowDigestBytes
      const sealed = this.#sealTextOf(
        digests.slice(from, from + 2 * this.#rowDigestBytes),
        held === 0 ? this.#binaries : this.#binaries.slice(row * held, (row + 1) * held),
      )
      putSha256(sealed, this.#bytes, this.#at)
      this.#at += digestBytes
    }
    this.#binaries.length = 0
  }

  #putReplaced(): void {
    this.#reserve(this.#corrections.length * idBytes)
    for (const { replaces, withdraws } of this.#corrections.map((each) => each ?? noCorrection)) {
      this.#at = this.#bytes.writeDoubleLE(withdraws ? -replaces : replaces, this.#at)
    }
  }

  #putReasons(): void {
    const json = JSON.stringify(this.#corrections.map((each) => each?.reason ?? null))
    const length = Buffer.byteLength(json)
    this.#reserve(lengthBytes + length)
    this.#at = this.#bytes.writeUInt32LE(length, this.#at)
    this.#at += this.#bytes.write(json, this.#at)
  }

  /** Moves the JSON to where the digests end, once no value of it is still to be hashed. */
  #closeGap(): void {
    this.#hashLanes()
    this.#bytes.copyWithin(this.#digestsAt, this.#jsonAt, this.#at)
    this.#at -= this.#jsonAt - this.#digestsAt
  }

  #putCell(cell: CheckedRow[number], digestAt: number): void {
    if (cell === null) {
      this.#putAscii(',null')
      if (digestAt !== -1) this.#bytes.fill(0, digestAt, digestAt + digestBytes)
    } else if (typeof cell === 'number') {
      this.#putAscii(',')
      const from = this.#at
      this.#putAscii(String(cell))
      if (digestAt !== -1) this.#hash(from, this.#at - from, digestAt)
    } else if (typeof cell === 'string') {
      this.#putText(cell, digestAt)
    } else {
      this.#putCell(cell.cell, -1)
      this.#hashText(cell.text, digestAt)
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
    if (digestAt !== -1) this.#hashText(text, digestAt)
  }

  /** Hashes a text that does not lie here as it is. */
  #hashText(text: string, digestAt: number): void {
    const bytes = Buffer.from(text)
    if (bytes.length > laneBytesMax) {
      putSha256(bytes, this.#bytes, digestAt)
      return
    }
    const from = spareOf(this.#taken)
    this.#bytes.set(bytes, from)
    this.#hash(from, bytes.length, digestAt)
  }

  #hash(from: number, length: number, digestAt: number): void {
    if (length > laneBytesMax) {
      putSha256(this.#bytes.subarray(from, from + length), this.#bytes, digestAt)
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
export function* unpackRows(bytes: Uint8Array<ArrayBuffer>): Generator<CheckedRows> {
  const heads = new DataView(bytes.buffer)
  for (let at = 0; at < bytes.length;) {
    const digestsAt = at + headBytes
    const rowsAt = digestsAt + heads.getUint32(at + 4, true)
    const sealsAt = rowsAt + heads.getUint32(at + 8, true)
    const rows = heads.getUint32(at, true)
    const count = (rows & ~(hasSeals | hasReplaced | hasReasons)) >>> 0
    const isSealed = (rows & hasSeals) !== 0
    const replacedAt = sealsAt + (isSealed ? count * digestBytes : 0)
    const isReplacing = (rows & hasReplaced) !== 0
    const reasonsAt = replacedAt + (isReplacing ? count * idBytes : 0)
    const isReasoned = (rows & hasReasons) !== 0
    const end = reasonsAt + (isReasoned ? lengthBytes + heads.getUint32(reasonsAt, true) : 0)
    const reasons = isReasoned ? readReasons(bytes.subarray(reasonsAt + lengthBytes, end)) : []
    const correctionAt = (row: number): RowCorrection | undefined => {
      const id = heads.getFloat64(replacedAt + row * idBytes, true)
      if (id === 0) return undefined
      return { replaces: Math.abs(id), withdraws: id < 0, reason: reasons[row] ?? undefined }
    }
    yield {
      count,
      digests: bytes.subarray(digestsAt, rowsAt),
      rows: bytes.subarray(rowsAt, sealsAt),
      seals: isSealed ? bytes.subarray(sealsAt, replacedAt) : undefined,
      corrections: isReplacing
        ? Array.from({ length: count }, (_, row) => correctionAt(row))
        : undefined,
    }
    at = end
  }
}

function readReasons(json: Uint8Array): (string | null)[] {
  return JSON.parse(Buffer.from(json).toString()) as (string | null)[]
}

const texts = new WeakMap<Uint8Array, string>()

/** The sha256 of bytes that do not change, in hexadecimal: computed once, though rows are parsed twice. */
export function bytesDigest(bytes: Uint8Array): string {
  let digest = texts.get(bytes)
  if (digest === undefined) texts.set(bytes, (digest = hash('sha256', bytes)))
  return digest
}
