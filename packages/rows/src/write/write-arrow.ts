import {
  type Data,
  type DataType,
  AsyncByteQueue,
  RecordBatch,
  RecordBatchFileWriter,
  Struct,
  makeData,
} from 'apache-arrow'
import { toArrowSchema } from './arrow-schema.ts'
import { type ArrowType, kindOf } from './column-kinds.ts'
import { RowGroup, encodeTexts } from './row-group.ts'
import type { Cell, RowWriter, WrittenColumn } from './row-writer.ts'

/**
 * Writes rows in the file format of Arrow, a record batch for each group of rows
 * (https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format). Nothing is compressed, so that readers can
 * map the file into memory.
 */
export function writeArrow(columns: readonly WrittenColumn[]): RowWriter {
  const schema = toArrowSchema(columns)
  const output = new Output()
  const writer = new RecordBatchFileWriter()
  const group = new RowGroup()
  const writeBatch = (): void => {
    const rows = group.take()
    const children = columns.map((column, index) => {
      const { type } = schema.fields[index]!
      return toData(
        column,
        type,
        rows.map((row) => row[index]!),
      )
    })
    const data = makeData({ type: new Struct(schema.fields), length: rows.length, children })
    writer.write(new RecordBatch(schema, data))
  }
  return {
    begin: () => {
      writer.reset(output, schema)
      return output.take()
    },
    write: (rows) => {
      group.add(rows)
      if (!group.isFull) return new Uint8Array()
      writeBatch()
      return output.take()
    },
    end: () => {
      if (!group.isEmpty) writeBatch()
      writer.finish()
      return output.take()
    },
  }
}

/** Bytes of a file that nobody has taken yet. */
class Output extends AsyncByteQueue {
  #pieces: Uint8Array[] = []

  override write(piece: Uint8Array): void {
    this.#pieces.push(piece)
  }

  take(): Uint8Array<ArrayBuffer> {
    const pieces = this.#pieces
    this.#pieces = []
    return concat(pieces)
  }
}

function concat(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((total, { length }) => total + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

type Stored = ReturnType<ReturnType<typeof kindOf>['store']>

function toData(column: WrittenColumn, type: DataType, cells: readonly Cell[]): Data {
  const { arrow, store } = kindOf(column)
  const values = cells.map((cell) => (cell === null ? undefined : store(cell)))
  const nullCount = values.filter((value) => value === undefined).length
  return makeData({
    type,
    length: values.length,
    nullCount,
    ...(nullCount > 0 && { nullBitmap: toBitmap(values, (value) => value !== undefined) }),
    ...buffersOf[arrow](values),
  })
}

type Values = readonly (Stored | undefined)[]
type Buffers = { data: ArrayBufferView; valueOffsets?: Int32Array }

const int64 = (values: Values): Buffers => ({
  data: BigInt64Array.from(values as (bigint | undefined)[], (value) => value ?? 0n),
})

/** Buffers of the layout of each type, the bitmap of validity aside. A missing value takes the room of a zero. */
const buffersOf: Record<ArrowType, (values: Values) => Buffers> = {
  utf8: (values) => {
    const texts =
      typeof values.find((value) => value !== undefined) === 'string'
        ? encodeTexts(values as (string | undefined)[])
        : (values as (Uint8Array | undefined)[])
    const valueOffsets = new Int32Array(texts.length + 1)
    for (const [index, text] of texts.entries()) {
      valueOffsets[index + 1] = valueOffsets[index]! + (text?.length ?? 0)
    }
    return { data: concat(texts.filter((text) => text !== undefined)), valueOffsets }
  },
  int64,
  timestamp: int64,
  duration: int64,
  float64: (values) => ({
    data: Float64Array.from(values as (number | undefined)[], (value) => value ?? 0),
  }),
  date32: (values) => ({
    data: Int32Array.from(values as (number | undefined)[], (value) => value ?? 0),
  }),
  bool: (values) => ({ data: toBitmap(values, (value) => value === true) }),
}

/** Bits from the lowest of each byte. */
function toBitmap(values: Values, isSet: (value: Values[number]) => boolean): Uint8Array {
  const bitmap = new Uint8Array(Math.ceil(values.length / 8))
  for (const [index, value] of values.entries()) {
    if (isSet(value)) bitmap[index >> 3]! |= 1 << (index & 7)
  }
  return bitmap
}
