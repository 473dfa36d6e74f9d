import {
  type DataType,
  Bool,
  DateDay,
  DurationMicrosecond,
  Field,
  Float64,
  Int64,
  RecordBatchStreamWriter,
  Schema,
  TimestampMicrosecond,
  Utf8,
} from 'apache-arrow'
import { type ArrowType, kindOf } from './column-kinds.ts'
import type { WrittenColumn } from './row-writer.ts'

const dataTypes: Record<ArrowType, () => DataType> = {
  utf8: () => new Utf8(),
  int64: () => new Int64(),
  float64: () => new Float64(),
  bool: () => new Bool(),
  date32: () => new DateDay(),
  timestamp: () => new TimestampMicrosecond('UTC'),
  duration: () => new DurationMicrosecond(),
}

export function toArrowSchema(columns: readonly WrittenColumn[]): Schema {
  const fields = columns.map((column) => {
    const { name, isRequired = false } = column
    return new Field(name, dataTypes[kindOf(column).arrow](), !isRequired)
  })
  return new Schema(fields)
}

/**
 * The schema of Arrow that a Parquet file may have in its key `ARROW:schema`, in base64: an encapsulated message
 * (https://arrow.apache.org/docs/format/Columnar.html).
 */
export function encodeArrowSchema(columns: readonly WrittenColumn[]): string {
  const writer = new RecordBatchStreamWriter()
  writer.reset(undefined, toArrowSchema(columns))
  const stream = Buffer.from(writer.finish().toUint8Array(true))
  // A mark, the length of the message and the message; what ends the stream is left out.
  return stream.subarray(0, 8 + stream.readInt32LE(4)).toString('base64')
}
