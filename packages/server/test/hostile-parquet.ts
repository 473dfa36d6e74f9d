import { zstdCompressSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'

export const textLength = 1_000_000

/** Rows of one text that stands in the file once, in a dictionary, beside a number each. */
export function sharedText(numbers: readonly string[]): ArrayBuffer {
  const text = 'x'.repeat(textLength)
  return parquetWriteBuffer({
    columnData: [
      { name: 'text', data: numbers.map(() => text), type: 'STRING', encoding: 'RLE_DICTIONARY' },
      { name: 'number', data: [...numbers], type: 'STRING' },
    ],
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    statistics: false,
    rowGroupSize: numbers.length,
  })
}

/** A file that has nothing but a footer. */
export function footerOnly(footer: Buffer): Uint8Array<ArrayBuffer> {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.length)
  return new Uint8Array(Buffer.concat([Buffer.from('PAR1'), footer, length, Buffer.from('PAR1')]))
}

/**
 * A footer whose schema has so many elements of one byte each: an empty struct of Thrift's compact protocol
 * (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md).
 */
export function emptyStructs(count: number): Buffer {
  const head = [0x29, 0xfc]
  let left = count
  for (; left > 0x7f; left = Math.floor(left / 128)) head.push((left % 128) | 0x80)
  return Buffer.concat([Buffer.from([...head, left]), Buffer.alloc(count + 1)])
}

/** Columns of a text each, in groups of one row. */
export function manyChunks(columns: number, rows: number): ArrayBuffer {
  const data = Array.from({ length: rows }, (_, row) => `${row}`)
  const columnData = Array.from({ length: columns }, (_, at) => {
    return { name: `column_${at}`, data, type: 'STRING' as const }
  })
  return parquetWriteBuffer({ columnData, rowGroupSize: 1, statistics: false })
}
