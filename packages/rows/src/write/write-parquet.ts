import type { RowGroup as GroupMetadata, SchemaElement } from 'hyparquet'
import { type ColumnSource, ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { kindOf } from './column-kinds.ts'
import { type Cell, type CompressZstd, type RowWriter, type WrittenColumn } from './row-writer.ts'
import { RowGroup, encodeTexts } from './row-group.ts'

/** Writes rows as Parquet, column by column in groups. */
export function writeParquet(
  columns: readonly WrittenColumn[],
  {
    compressZstd,
    arrowSchema,
  }: { compressZstd?: CompressZstd | undefined; arrowSchema?: string | undefined } = {},
): RowWriter {
  const output = new ByteWriter()
  const parquet = new ParquetWriter({
    writer: output,
    schema: toSchema(columns),
    createdBy: 'vitrine',
    ...(arrowSchema !== undefined && {
      kvMetadata: [{ key: 'ARROW:schema', value: arrowSchema }],
    }),
    ...(compressZstd === undefined
      ? { codec: 'SNAPPY' }
      : { codec: 'ZSTD', compressors: { ZSTD: compressZstd } }),
  })
  const group = new RowGroup()
  /** The bytes written since the last call, in memory of their own. */
  const take = (): Uint8Array<ArrayBuffer> => {
    const taken = output.getBytes().slice()
    output.buffer = new ArrayBuffer(1024)
    output.view = new DataView(output.buffer)
    output.index = 0
    return taken
  }
  const writeGroup = (): void => {
    const rows = group.take()
    const columnData = columns.map((column, index) => toSource(column, rows, index))
    void parquet.write({ columnData, rowGroupSize: rows.length })
    shortenStatistics(parquet.row_groups.at(-1)!, parquet.schema)
  }
  return {
    begin: take,
    write: (rows) => {
      group.add(rows)
      if (!group.isFull) return new Uint8Array()
      writeGroup()
      return take()
    },
    end: () => {
      if (!group.isEmpty) writeGroup()
      nameJson(parquet.schema)
      void parquet.finish()
      return take()
    },
  }
}

function toSchema(columns: readonly WrittenColumn[]): SchemaElement[] {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map((column): SchemaElement => {
      const { name, isRequired } = column
      const repetition_type = isRequired === true ? 'REQUIRED' : 'OPTIONAL'
      return { name, repetition_type, ...kindOf(column).parquet.element }
    }),
  ]
}

/**
 * Gives columns of JSON the older name of their type too, by which DuckDB and Polars know it: last, as the library
 * would make JSON of each text once more.
 */
function nameJson(schema: readonly SchemaElement[]): void {
  for (const element of schema) {
    if (element.logical_type?.type === 'JSON') element.converted_type = 'JSON'
  }
}

/** Bytes of the least and the greatest text that are kept until the end; of longer ones the library writes 16. */
const statisticBytes = 64

/**
 * Copies what will be written of the statistics of a group: they would keep all of its texts in memory until the end.
 * Of long JSON there are none, as the beginning of it is none, nor of a text that no shorter one is greater than.
 */
function shortenStatistics({ columns }: GroupMetadata, schema: readonly SchemaElement[]): void {
  for (const [index, { meta_data }] of columns.entries()) {
    const statistics = meta_data?.statistics
    if (statistics === undefined) continue
    const isJson = schema[index + 1]!.logical_type?.type === 'JSON'
    for (const name of ['min_value', 'max_value'] as const) {
      const value = statistics[name]
      if (typeof value !== 'string' && !(value instanceof Uint8Array)) continue
      const bytes = typeof value === 'string' ? utf8.encode(value) : value
      const isLong = bytes.length > statisticBytes
      if (isLong && (isJson || (name === 'max_value' && startsWith(bytes, greatest)))) {
        delete statistics[name]
      } else {
        statistics[name] = bytes.slice(0, statisticBytes)
      }
    }
  }
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, index) => bytes[index] === byte)
}

const utf8 = new TextEncoder()
/** Sixteen bytes of the last code point. */
const greatest = utf8.encode('\u{10ffff}'.repeat(4))
function toSource(column: WrittenColumn, rows: readonly Cell[][], index: number): ColumnSource {
  const { name, kind } = column
  const { store } = kindOf(column)
  const data = rows.map((row) => {
    const cell = row[index]!
    return cell === null ? undefined : store(cell)
  })
  if (kind !== 'text' || !isVaried(data)) return { name, data }
  return { name, data: encodeTexts(data as (string | undefined)[]), encoding: 'PLAIN' }
}

/** Whether a dictionary of the values would be about as long as they are, by a sample of them. */
function isVaried(values: readonly unknown[]): boolean {
  const step = Math.ceil(values.length / 256)
  const sample = values.filter((value, index) => index % step === 0 && value !== undefined)
  return new Set(sample).size > sample.length / 2
}
