import type { Encoding, PageHeader, SchemaElement } from 'hyparquet'
import { ByteWriter } from 'hyparquet-writer'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { deltaBinaryPack } from 'hyparquet-writer/src/delta.js'
import { writeMetadata } from 'hyparquet-writer/src/metadata.js'

/** More values than an array of V8 may be made for. */
const many = 134_217_000
const rows = 1000

/** A file whose only column, `text`, is those bytes, in a group of so many rows. */
export function columnOf(
  pages: Uint8Array,
  element: Partial<SchemaElement> = {},
  groupRows = rows,
  values = rows,
): ArrayBuffer {
  const type = element.type ?? 'BYTE_ARRAY'
  const writer = new ByteWriter()
  writer.appendBytes(Buffer.from('PAR1'))
  writer.appendBytes(pages)
  const size = BigInt(pages.length)
  writeMetadata(writer, {
    version: 2,
    schema: [
      { name: 'root', num_children: 1 },
      { name: 'text', type, repetition_type: 'REQUIRED', ...element },
    ],
    num_rows: BigInt(rows),
    row_groups: [
      {
        columns: [
          {
            file_offset: 4n,
            meta_data: {
              type,
              encodings: ['PLAIN'],
              path_in_schema: ['text'],
              codec: 'UNCOMPRESSED',
              num_values: BigInt(values),
              total_compressed_size: size,
              total_uncompressed_size: size,
              data_page_offset: 4n,
            },
          },
        ],
        total_byte_size: size,
        num_rows: BigInt(groupRows),
      },
    ],
    metadata_length: 0,
  })
  writer.appendBytes(Buffer.from('PAR1'))
  return writer.getBuffer()
}

function page(header: Partial<PageHeader>, body: Uint8Array): Uint8Array {
  const writer = new ByteWriter()
  const size = body.length
  writePageHeader(writer, {
    type: 'DATA_PAGE',
    uncompressed_page_size: size,
    compressed_page_size: size,
    ...header,
  })
  writer.appendBytes(body)
  return writer.getBytes()
}

function dataPage(values: number, encoding: Encoding, body: Uint8Array): Uint8Array {
  const said = { num_values: values, encoding }
  const levels = { definition_level_encoding: 'RLE', repetition_level_encoding: 'RLE' } as const
  return page({ data_page_header: { ...said, ...levels } }, body)
}

function nullsPage(values: number, nulls: number, levels: Uint8Array): Uint8Array {
  const data_page_header_v2 = {
    num_values: values,
    num_nulls: nulls,
    num_rows: values,
    encoding: 'PLAIN',
    definition_levels_byte_length: levels.length,
    repetition_levels_byte_length: 0,
    is_compressed: false,
  } as const
  return page({ type: 'DATA_PAGE_V2', data_page_header_v2 }, levels)
}

function dictionary(entries: number): Uint8Array {
  const dictionary_page_header = { num_values: entries, encoding: 'PLAIN' } as const
  return page({ type: 'DICTIONARY_PAGE', dictionary_page_header }, Buffer.from([1, 0, 0, 0, 0x61]))
}

/** A page of a list column, whose levels are the same throughout. */
function listPage(values: number, repetitions: Uint8Array, definitions: Uint8Array): Uint8Array {
  const data_page_header_v2 = {
    num_values: values,
    num_nulls: 0,
    num_rows: 1,
    encoding: 'PLAIN',
    definition_levels_byte_length: definitions.length,
    repetition_levels_byte_length: repetitions.length,
    is_compressed: false,
  } as const
  return page(
    { type: 'DATA_PAGE_V2', data_page_header_v2 },
    Buffer.concat([repetitions, definitions]),
  )
}

/** A number repeated, by the hybrid of runs and packed bits; of no bits, it has no byte. */
function run(count: number, ...value: number[]): Uint8Array {
  const writer = new ByteWriter()
  writer.appendVarInt(count * 2)
  writer.appendBytes(Uint8Array.from(value))
  return writer.getBytes()
}

/** Each text begins as the whole one before it. */
function unfolding(length: number): Uint8Array {
  const writer = new ByteWriter()
  const lengths = (first: number, others: number) =>
    Int32Array.from({ length: rows }, (_, index) => (index === 0 ? first : others))
  deltaBinaryPack(writer, lengths(0, length), 'INT32')
  deltaBinaryPack(writer, lengths(length, 0), 'INT32')
  writer.appendBytes(new Uint8Array(length).fill(0x61))
  return writer.getBytes()
}

/** The head of deltas in blocks of so many parts: each has a byte, for which there must be memory first. */
function deltaParts(parts: number): Uint8Array {
  const writer = new ByteWriter()
  for (const number of [parts * 32, parts, rows, 0, 0]) writer.appendVarInt(number)
  return writer.getBytes()
}

const optional = { repetition_type: 'OPTIONAL' } as const
const repeated = { repetition_type: 'REPEATED', converted_type: 'UTF8' } as const
const dictionaryPages = (entries: number, indexes: Uint8Array, values = rows) =>
  columnOf(Buffer.concat([dictionary(entries), dataPage(values, 'RLE_DICTIONARY', indexes)]))
const noBits = Uint8Array.of(0)
const twoTruths = Buffer.concat([Uint8Array.of(5, 0, 0, 0), run(many, 1)])

/** Files of some hundred bytes, whose pages say what would take all memory. */
export const hostilePages: Record<string, ArrayBuffer> = {
  'claims 134 million nulls': columnOf(nullsPage(many, many, run(many, 0)), optional),
  'claims 134 million entries of no bits': dictionaryPages(1, noBits, many),
  'claims 134 million truth values': columnOf(dataPage(many, 'RLE', twoTruths), {
    type: 'BOOLEAN',
  }),
  'claims less than no values': columnOf(dataPage(-many, 'PLAIN', noBits)),
  'claims 134 million elements of a list': columnOf(
    listPage(many, Buffer.concat([run(1, 0), run(many - 1, 1)]), run(many, 0)),
    repeated,
    rows,
    many,
  ),
  'begins within a list': columnOf(listPage(rows, run(rows, 1), run(rows, 0)), repeated),
  'has levels beyond its lists': columnOf(listPage(rows, run(rows, 0), run(rows, 3)), repeated),
  'has fewer lists than rows': columnOf(
    listPage(rows, Buffer.concat([run(1, 0), run(rows - 1, 1)]), run(rows, 0)),
    repeated,
  ),
  'has less than no children': columnOf(dataPage(rows, 'PLAIN', noBits), { num_children: -1 }),
  'has a run longer than itself': dictionaryPages(
    1,
    Buffer.concat([Uint8Array.of(1), run(many, 0)]),
  ),
  'has less than no nulls': columnOf(nullsPage(rows, -many, run(rows, 1)), optional),
  'has a dictionary of 134 million entries': dictionaryPages(many, noBits),
  'has texts that unfold': columnOf(dataPage(rows, 'DELTA_BYTE_ARRAY', unfolding(80_000))),
  'has deltas in 67 million parts': columnOf(
    dataPage(rows, 'DELTA_BINARY_PACKED', deltaParts(2 ** 26)),
    { type: 'INT64' },
  ),
  // The last of its texts has twenty bytes, which are there, behind it.
  'has a value longer than itself': columnOf(
    Buffer.concat([
      dataPage(rows, 'PLAIN', new Uint8Array(4 * rows).fill(20, -4, -3)),
      new Uint8Array(100),
    ]),
  ),
  'has a header that is cut off': columnOf(dataPage(rows, 'PLAIN', noBits).subarray(0, 8)),
  'has a header with a number without an end': columnOf(
    new Uint8Array(100_000).fill(0x80).fill(0x16, 0, 1),
  ),
  'is shorter than its header says': columnOf(
    dataPage(rows, 'PLAIN', new Uint8Array(4 * rows)).subarray(0, 100),
  ),
  'has fewer values than its group has rows': columnOf(
    dataPage(rows - 1, 'PLAIN', new Uint8Array(4 * rows)),
  ),
}
