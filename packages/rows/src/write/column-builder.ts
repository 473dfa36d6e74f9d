import type { CellReader } from './cell-reader.ts'
import { type ArrowType, type KindDefinition, kindOf } from './column-kinds.ts'
import type { WrittenColumn } from './row-writer.ts'

type NumberArray =
  | BigInt64Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>

const newInt64s = (length: number) => new BigInt64Array(length)

/** Arrays of the types that have no offsets; a truth takes a byte in it. */
const newNumbers: Record<Exclude<ArrowType, 'utf8'>, (length: number) => NumberArray> = {
  int64: newInt64s,
  timestamp: newInt64s,
  duration: newInt64s,
  float64: (length) => new Float64Array(length),
  date32: (length) => new Int32Array(length),
  bool: (length) => new Uint8Array(length),
}

/** Rows and bytes of text for which there is room at first. */
const initial = { rows: 1024, bytes: 16 * 1024 }
/** Bytes of text for which room is kept from one group to the next. */
const keptBytes = 1024 ** 2

const utf8 = new TextEncoder()

/** Values of a column, gathered cell by cell in the layout of Arrow: https://arrow.apache.org/docs/format/Columnar.html */
export type ColumnBuilder = TextBuilder | NumberBuilder

export function buildColumn(column: WrittenColumn): ColumnBuilder {
  const kind = kindOf(column)
  return kind.arrow === 'utf8' ? new TextBuilder() : new NumberBuilder(kind.arrow, kind)
}

/** Values and, for each, whether it is there. */
abstract class ValidityBuilder {
  count = 0
  nullCount = 0
  #validity = new Uint8Array(initial.rows)

  /** 1 for a value that is there, 0 for one that is missing. */
  get validity(): Uint8Array<ArrayBuffer> {
    return this.#validity.subarray(0, this.count)
  }

  add(cells: CellReader): void {
    const index = this.count
    if (index === this.#validity.length) this.#validity = grow(this.#validity, index * 2)
    if (cells.skipNull()) {
      this.#validity[index] = 0
      this.nullCount += 1
      this.addNull(index)
    } else {
      this.#validity[index] = 1
      this.addValue(cells, index)
    }
    this.count += 1
  }

  /** Forgets the values, and is used again. */
  clear(): void {
    this.count = 0
    this.nullCount = 0
  }

  protected abstract addNull(index: number): void
  protected abstract addValue(cells: CellReader, index: number): void
}

/** Texts in UTF-8, one after the other. */
export class TextBuilder extends ValidityBuilder {
  #bytes = new Uint8Array(initial.bytes)
  #offsets = new Int32Array(initial.rows + 1)

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#offsets[this.count])
  }

  /** Beginnings of the texts, and the end of the last one. */
  get offsets(): Int32Array<ArrayBuffer> {
    return this.#offsets.subarray(0, this.count + 1)
  }

  override clear(): void {
    super.clear()
    if (this.#bytes.length > keptBytes) this.#bytes = new Uint8Array(initial.bytes)
  }

  protected override addNull(index: number): void {
    this.#endText(index, this.#offsets[index]!)
  }

  protected override addValue(cells: CellReader, index: number): void {
    const at = this.#offsets[index]!
    const end = cells.takePlain(this.#bytes, at)
    this.#endText(index, end === -1 ? this.#put(utf8.encode(cells.takeText()), at) : end)
  }

  #put(text: Uint8Array, at: number): number {
    const end = at + text.length
    if (end > this.#bytes.length) {
      this.#bytes = grow(this.#bytes, Math.max(end, this.#bytes.length * 2))
    }
    this.#bytes.set(text, at)
    return end
  }

  #endText(index: number, end: number): void {
    if (index + 1 === this.#offsets.length) this.#offsets = grow(this.#offsets, index * 2 + 1)
    this.#offsets[index + 1] = end
  }
}

/** Numbers, days, moments, lengths of time and truths; a missing one is 0. */
export class NumberBuilder extends ValidityBuilder {
  #values: NumberArray
  readonly #take: (cells: CellReader) => bigint | number

  constructor(type: keyof typeof newNumbers, { form, store }: KindDefinition) {
    super()
    this.#values = newNumbers[type](initial.rows)
    this.#take =
      form === 'text' || form === 'moment'
        ? (cells) => store!(cells.takeText())
        : (cells) => store!(cells.takeNumber())
  }

  get values(): NumberArray {
    return this.#values.subarray(0, this.count)
  }

  protected override addNull(index: number): void {
    this.#set(index, this.#values instanceof BigInt64Array ? 0n : 0)
  }

  protected override addValue(cells: CellReader, index: number): void {
    this.#set(index, this.#take(cells))
  }

  #set(index: number, value: bigint | number): void {
    if (index === this.#values.length) this.#values = grow(this.#values, index * 2)
    const values: { [index: number]: bigint | number } = this.#values
    values[index] = value
  }
}

function grow<A extends NumberArray>(array: A, length: number): A {
  const grown = new (array.constructor as new (length: number) => A)(length)
  grown.set(array as never)
  return grown
}

/** Bits from the lowest of each byte, of truths that are 1 or 0. */
export function toBitmap(truths: NumberArray): Uint8Array<ArrayBuffer> {
  const bitmap = new Uint8Array(Math.ceil(truths.length / 8))
  for (let index = 0; index < truths.length; index += 1) {
    bitmap[index >> 3]! |= Number(truths[index]) << (index & 7)
  }
  return bitmap
}
