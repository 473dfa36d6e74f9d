import type { ColumnChunk, Encoding, PageHeader, SchemaElement } from 'hyparquet'
import { ByteWriter } from 'hyparquet-writer'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js'
import { type ByteDictionary, type PackedValues, makeDictionary } from './byte-dictionary.ts'
import { type ColumnBuilder, type NumberBuilder, TextBuilder, toBitmap } from './column-builder.ts'
import { numberBounds, textBounds } from './column-bounds.ts'

export type Codec = {
  name: 'SNAPPY' | 'ZSTD'
  compress: (bytes: Uint8Array) => Uint8Array
}

/** Values as pages have them, plainly or as indexes into a page of distinct ones, with their bounds. */
type Encoded = {
  bytes: Uint8Array
  distinct?: { count: number; bytes: Uint8Array } | undefined
  bounds: ReturnType<typeof textBounds>
}

/**
 * Writes the values of a column in one page, after a page of the distinct ones where these are few: a group is
 * small enough for one. https://parquet.apache.org/docs/file-format/data-pages/encodings/
 */
export function writeColumnChunk(
  output: ByteWriter,
  column: ColumnBuilder,
  { element, codec }: { element: SchemaElement; codec: Codec },
): ColumnChunk {
  const begin = output.offset
  let uncompressed = 0
  const writePage = (
    header: Pick<PageHeader, 'type' | 'data_page_header_v2' | 'dictionary_page_header'>,
    bytes: Uint8Array,
    levels: Uint8Array = new Uint8Array(),
  ): void => {
    const compressed = codec.compress(bytes)
    const headerBegin = output.offset
    writePageHeader(output, {
      ...header,
      uncompressed_page_size: levels.length + bytes.length,
      compressed_page_size: levels.length + compressed.length,
    })
    uncompressed += output.offset - headerBegin + levels.length + bytes.length
    output.appendBytes(levels)
    output.appendBytes(compressed)
  }
  const { count, nullCount } = column
  const { bytes, distinct, bounds } =
    column instanceof TextBuilder ? encodeTexts(column, element) : encodeNumbers(column, element)
  if (distinct !== undefined) {
    const header = { num_values: distinct.count, encoding: 'PLAIN' } as const
    writePage({ type: 'DICTIONARY_PAGE', dictionary_page_header: header }, distinct.bytes)
  }
  const dataBegin = output.offset
  const levels =
    element.repetition_type === 'REQUIRED' ? new Uint8Array() : packLevels(column.validity)
  const encoding: Encoding = distinct === undefined ? 'PLAIN' : 'RLE_DICTIONARY'
  const header = {
    num_values: count,
    num_nulls: nullCount,
    num_rows: count,
    encoding,
    definition_levels_byte_length: levels.length,
    repetition_levels_byte_length: 0,
    is_compressed: true,
  }
  writePage({ type: 'DATA_PAGE_V2', data_page_header_v2: header }, bytes, levels)
  return {
    file_offset: BigInt(begin),
    meta_data: {
      type: element.type!,
      encodings: distinct === undefined ? ['PLAIN'] : ['PLAIN', 'RLE_DICTIONARY'],
      path_in_schema: [element.name],
      codec: codec.name,
      num_values: BigInt(count),
      total_uncompressed_size: BigInt(uncompressed),
      total_compressed_size: BigInt(output.offset - begin),
      data_page_offset: BigInt(dataBegin),
      ...(distinct !== undefined && { dictionary_page_offset: BigInt(begin) }),
      statistics: { ...bounds, null_count: BigInt(nullCount) },
      encoding_stats: [
        ...(distinct === undefined
          ? []
          : [{ page_type: 'DICTIONARY_PAGE', encoding: 'PLAIN', count: 1 } as const]),
        { page_type: 'DATA_PAGE_V2', encoding, count: 1 },
      ],
    },
  }
}

function encodeTexts(column: TextBuilder, element: SchemaElement): Encoded {
  const texts = { bytes: column.bytes, offsets: presentOffsets(column) }
  const dictionary = makeDictionary(texts)
  const bounds = textBounds(dictionary?.distinct ?? texts, element)
  return { ...toPages(texts, dictionary, withLengths), bounds }
}

function encodeNumbers(column: NumberBuilder, element: SchemaElement): Encoded {
  const numbers = presentNumbers(column)
  const bounds = numberBounds(numbers, element)
  if (element.type === 'BOOLEAN') return { bytes: toBitmap(numbers), bounds }
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
  const width = numbers.BYTES_PER_ELEMENT
  const offsets = new Int32Array(numbers.length + 1)
  for (let index = 0; index < offsets.length; index += 1) offsets[index] = index * width
  const values = { bytes, offsets }
  return { ...toPages(values, makeDictionary(values), (packed) => packed.bytes), bounds }
}

function toPages(
  values: PackedValues,
  dictionary: ByteDictionary | undefined,
  toPlain: (values: PackedValues) => Uint8Array,
): Omit<Encoded, 'bounds'> {
  if (dictionary === undefined) return { bytes: toPlain(values) }
  const { distinct, indexes } = dictionary
  const count = distinct.offsets.length - 1
  const bitWidth = Math.ceil(Math.log2(count))
  const output = new ByteWriter()
  output.appendUint8(bitWidth)
  writeRleBitPackedHybrid(output, indexes, bitWidth)
  return { bytes: output.getBytes(), distinct: { count, bytes: toPlain(distinct) } }
}

function packLevels(validity: Uint8Array): Uint8Array {
  const output = new ByteWriter()
  writeRleBitPackedHybrid(output, validity, 1)
  return output.getBytes()
}

/** Missing texts have no bytes: without them the others lie where they are. */
function presentOffsets(column: TextBuilder): Int32Array<ArrayBuffer> {
  const { offsets, validity, count, nullCount } = column
  if (nullCount === 0) return offsets
  const present = new Int32Array(count - nullCount + 1)
  let at = 0
  for (let index = 0; index < count; index += 1) {
    if (validity[index] === 0) continue
    at += 1
    present[at] = offsets[index + 1]!
  }
  return present
}

function presentNumbers({ values, validity, nullCount }: NumberBuilder): NumberBuilder['values'] {
  if (nullCount === 0) return values
  const present = values.slice()
  let at = 0
  for (let index = 0; index < values.length; index += 1) {
    present[at] = values[index]!
    at += validity[index]!
  }
  return present.subarray(0, at)
}

/** Bytes up to which a loop copies faster than the engine. */
const shortText = 64

/** Puts the length of each text before it, in four bytes. */
function withLengths({ bytes, offsets }: PackedValues): Uint8Array {
  const count = offsets.length - 1
  const plain = new Uint8Array(4 * count + offsets[count]!)
  const view = new DataView(plain.buffer)
  let plainAt = 0
  for (let index = 0; index < count; index += 1) {
    const [from, to] = [offsets[index]!, offsets[index + 1]!]
    view.setUint32(plainAt, to - from, true)
    plainAt += 4
    if (to - from > shortText) plain.set(bytes.subarray(from, to), plainAt)
    else for (let at = 0; at < to - from; at += 1) plain[plainAt + at] = bytes[from + at]!
    plainAt += to - from
  }
  return plain
}
