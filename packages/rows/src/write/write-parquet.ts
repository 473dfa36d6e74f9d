import type { FileMetaData, SchemaElement } from 'hyparquet'
import { ByteWriter } from 'hyparquet-writer'
import { writeMetadata } from 'hyparquet-writer/src/metadata.js'
import { snappyCompress } from 'hyparquet-writer/src/snappy.js'
import { type Codec, writeColumnChunk } from './column-chunk.ts'
import { kindOf } from './column-kinds.ts'
import { RowGroup } from './row-group.ts'
import type { ParquetOptions, RowWriter, WrittenColumn } from './row-writer.ts'

/** `PAR1`, with which a file begins and ends. */
const magic = 0x31524150

/** Writes rows as Parquet, column by column in groups. */
export function writeParquet(
  columns: readonly WrittenColumn[],
  {
    compressZstd,
    groupRows,
    arrowSchema,
  }: ParquetOptions & { arrowSchema?: string | undefined } = {},
): RowWriter {
  const codec: Codec =
    compressZstd === undefined
      ? { name: 'SNAPPY', compress: snappyCompress }
      : { name: 'ZSTD', compress: compressZstd }
  const elements = columns.map(toElement)
  const metadata: FileMetaData = {
    version: 2,
    created_by: 'vitrine',
    schema: [{ name: 'root', num_children: columns.length }, ...elements],
    num_rows: 0n,
    row_groups: [],
    metadata_length: 0,
    ...(arrowSchema !== undefined && {
      key_value_metadata: [{ key: 'ARROW:schema', value: arrowSchema }],
    }),
  }
  const output = new ByteWriter()
  const group = new RowGroup(columns, groupRows)
  /** Returns the bytes written since the last call, in memory of their own. */
  const take = (): Uint8Array<ArrayBuffer> => {
    const taken = output.getBytes().slice()
    // A group with a long text would keep its room for as long as nobody reads on.
    output.buffer = new ArrayBuffer(1024)
    output.view = new DataView(output.buffer)
    output.index = 0
    return taken
  }
  const writeGroup = (): void => {
    const begin = output.offset
    const chunks = group.columns.map((column, index) =>
      writeColumnChunk(output, column, { element: elements[index]!, codec }),
    )
    const count = BigInt(group.count)
    metadata.num_rows += count
    metadata.row_groups.push({
      columns: chunks,
      total_byte_size: chunks.reduce(
        (bytes, { meta_data }) => bytes + meta_data!.total_uncompressed_size,
        0n,
      ),
      num_rows: count,
      total_compressed_size: BigInt(output.offset - begin),
    })
    group.clear()
  }
  return {
    begin: () => {
      output.appendUint32(magic)
      return take()
    },
    write: (rows) => {
      group.add(rows)
      if (!group.isFull) return new Uint8Array()
      writeGroup()
      return take()
    },
    end: () => {
      if (!group.isEmpty) writeGroup()
      writeMetadata(output, metadata)
      output.appendUint32(magic)
      return take()
    },
  }
}

function toElement(column: WrittenColumn): SchemaElement {
  const { name, isRequired } = column
  const repetition_type = isRequired === true ? 'REQUIRED' : 'OPTIONAL'
  return { name, repetition_type, ...kindOf(column).parquet.element }
}
