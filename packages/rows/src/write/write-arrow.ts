import {
  type Data,
  type DataType,
  AsyncByteQueue,
  Bool,
  RecordBatch,
  RecordBatchFileWriter,
  Struct,
  makeData,
} from 'apache-arrow'
import { toArrowSchema } from './arrow-schema.ts'
import { type ColumnBuilder, TextBuilder, toBitmap } from './column-builder.ts'
import { RowGroup } from './row-group.ts'
import type { RowWriter, WrittenColumn } from './row-writer.ts'

/**
 * Writes rows in the file format of Arrow, a record batch for each group of rows
 * (https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format). Nothing is compressed, so that readers can
 * map the file into memory.
 */
export function writeArrow(columns: readonly WrittenColumn[]): RowWriter {
  const schema = toArrowSchema(columns)
  const output = new Output()
  const writer = new RecordBatchFileWriter()
  const group = new RowGroup(columns)
  const writeBatch = (): void => {
    const children = group.columns.map((column, index) =>
      toData(column, schema.fields[index]!.type),
    )
    const data = makeData({ type: new Struct(schema.fields), length: group.count, children })
    writer.write(new RecordBatch(schema, data))
  }
  /** The bytes of a batch lie in the columns until they are taken. */
  const take = (): Uint8Array<ArrayBuffer> => {
    const bytes = output.take()
    group.clear()
    return bytes
  }
  return {
    begin: () => {
      writer.reset(output, schema)
      return take()
    },
    write: (rows) => {
      group.add(rows)
      if (!group.isFull) return new Uint8Array()
      writeBatch()
      return take()
    },
    end: () => {
      if (!group.isEmpty) writeBatch()
      writer.finish()
      return take()
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

type Buffers = { data: ArrayBufferView; valueOffsets?: Int32Array }

function toData(column: ColumnBuilder, type: DataType): Data {
  const { count: length, nullCount, validity } = column
  const nulls = { nullCount, ...(nullCount > 0 && { nullBitmap: toBitmap(validity) }) }
  return makeData({ type, length, ...nulls, ...buffersOf(column, type) })
}

function buffersOf(column: ColumnBuilder, type: DataType): Buffers {
  if (column instanceof TextBuilder) return { data: column.bytes, valueOffsets: column.offsets }
  const { values } = column
  return { data: type instanceof Bool ? toBitmap(values) : values }
}
