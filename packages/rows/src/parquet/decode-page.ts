import type {
  CompressionCodec,
  Compressors,
  DataReader,
  DecodedArray,
  SchemaElement,
} from 'hyparquet'
import { decompressPage } from 'hyparquet/src/datapage.js'
import { byteStreamSplit } from 'hyparquet/src/encoding.js'
import { readPlain } from 'hyparquet/src/plain.js'
import type { Page } from './column-pages.ts'
import { readDeltaBytes, readDeltaLengths, readDeltas } from './read-deltas.ts'
import type { UnpackBudget } from '../unpacked-bound.ts'

/** How the pages of a column are written. */
export type PageFormat = {
  element: SchemaElement
  codec: CompressionCodec
  compressors: Compressors
  budget: UnpackBudget
}

/** How the pages of a leaf of a nested column are written, with the most of its levels. */
export type NestedPageFormat = PageFormat & { repetition: number; definition: number }

/** Values as they are stored, of the rows that have one. */
export type PageValues = {
  /** For each row 1 where it has a value; undefined where all of them do. */
  present: Uint8Array | undefined
  stored: DecodedArray
  /** Whether these are the places of values in the dictionary. */
  areEntries: boolean
}

/** The entries of a dictionary, as they are stored. */
export function decodeDictionary(body: Uint8Array, page: Page, format: PageFormat): DecodedArray {
  const bytes = unpack(body, page.header.uncompressed_page_size, format)
  return decodePlain(readerOf(bytes), page.values, format.element)
}

/**
 * Decodes a page of a flat column. Nothing is made for more values than the page has, which has been held to
 * what its group has.
 * @throws Error
 */
export function decodePage(body: Uint8Array, page: Page, format: PageFormat): PageValues {
  const definition = format.element.repetition_type === 'REQUIRED' ? 0 : 1
  const { definitions: levels, bytes } = split(body, page, { ...format, repetition: 0, definition })
  let present: Uint8Array | undefined
  let count = page.values
  if (levels !== undefined) {
    present = new Uint8Array(page.values)
    readRuns(levels, 1, present)
    count = 0
    for (const level of present) if (level === 1) count += 1
    if (count === page.values) present = undefined
  }
  const nulls = page.header.data_page_header_v2?.num_nulls
  if (nulls !== undefined && nulls !== page.values - count) {
    throw new Error(`a page has ${page.values} values of which ${nulls} are null`)
  }
  const areEntries = page.encoding.endsWith('_DICTIONARY')
  if (count === 0) return { present, stored: [], areEntries }
  return { present, stored: decodeValues(bytes, { page, count, format }), areEntries }
}

/**
 * Decodes the levels of a page of a nested column; its values once they are wanted.
 * @throws Error
 */
export function decodeNestedPage(
  body: Uint8Array,
  page: Page,
  format: NestedPageFormat,
): {
  repetitions: Uint8Array
  definitions: Uint8Array
  areEntries: boolean
  /** Decodes the values as they are stored, of which there are as many as definition levels of the leaf. */
  read: () => DecodedArray
} {
  // Levels of long runs take no room in the file.
  format.budget.take(2 * page.values)
  const { repetitions, definitions, bytes } = split(body, page, format)
  const levels = {
    repetitions: readLevels(repetitions, format.repetition, page.values),
    definitions: readLevels(definitions, format.definition, page.values),
  }
  const read = () => {
    let count = 0
    for (const level of levels.definitions) if (level === format.definition) count += 1
    return count === 0 ? [] : decodeValues(bytes, { page, count, format })
  }
  return { ...levels, areEntries: page.encoding.endsWith('_DICTIONARY'), read }
}

/** Reads levels up to the most that there is; all are 0 where that is 0. */
function readLevels(runs: Uint8Array | undefined, most: number, count: number): Uint8Array {
  const levels = new Uint8Array(count)
  if (runs !== undefined) readRuns(runs, 32 - Math.clz32(most), levels)
  for (const level of levels) if (level > most) throw new Error(`a level of a page is ${level}`)
  return levels
}

/** The runs of levels stand before the values, of a column that has any. */
function split(
  body: Uint8Array,
  { header: { data_page_header_v2: v2, uncompressed_page_size: size } }: Page,
  format: NestedPageFormat,
): Record<'repetitions' | 'definitions', Uint8Array | undefined> & { bytes: Uint8Array } {
  if (v2 === undefined) {
    let bytes = unpack(body, size, format)
    const next = (most: number) => {
      if (most === 0) return undefined
      const { levels, end } = prefixed(bytes)
      bytes = bytes.subarray(end)
      return levels
    }
    const repetitions = next(format.repetition)
    const definitions = next(format.definition)
    return { repetitions, definitions, bytes }
  }
  const { repetition_levels_byte_length: start, definition_levels_byte_length: length } = v2
  const end = start + length
  if (!(start >= 0 && length >= 0 && end <= Math.min(body.length, size))) {
    throw new Error('the levels of a page are cut off')
  }
  const levels = {
    repetitions: format.repetition > 0 ? body.subarray(0, start) : undefined,
    definitions: format.definition > 0 ? body.subarray(start, end) : undefined,
  }
  const rest = body.subarray(end)
  if (v2.is_compressed !== false) return { ...levels, bytes: unpack(rest, size - end, format) }
  format.budget.take(rest.length)
  return { ...levels, bytes: rest }
}

/** Runs whose length stands before them. */
function prefixed(bytes: Uint8Array): { levels: Uint8Array; end: number } {
  const end = 4 + readerOf(bytes).view.getUint32(0, true)
  if (end > bytes.length) throw new Error('the levels of a page are cut off')
  return { levels: bytes.subarray(4, end), end }
}

function unpack(
  bytes: Uint8Array,
  size: number,
  { codec, compressors, budget }: PageFormat,
): Uint8Array {
  if (size === 0) return new Uint8Array()
  budget.take(size)
  return decompressPage(bytes, size, codec, compressors)
}

function decodeValues(
  bytes: Uint8Array,
  { page, count, format }: { page: Page; count: number; format: PageFormat },
): DecodedArray {
  const { element, budget } = format
  const { type } = element
  const reader = readerOf(bytes)
  switch (page.encoding) {
    case 'PLAIN':
      return decodePlain(reader, count, element)
    case 'PLAIN_DICTIONARY':
    case 'RLE_DICTIONARY': {
      const entries = new Uint32Array(count)
      readRuns(bytes.subarray(1), reader.view.getUint8(0), entries)
      return entries
    }
    case 'RLE': {
      if (type !== 'BOOLEAN') break
      const truths = new Uint8Array(count)
      readRuns(prefixed(bytes).levels, 1, truths)
      return Array.from(truths, (truth) => truth === 1)
    }
    case 'DELTA_BINARY_PACKED':
      if (type === 'INT32') return readDeltas(reader, new Int32Array(count))
      if (type === 'INT64') return readDeltas(reader, new BigInt64Array(count))
      break
    case 'DELTA_LENGTH_BYTE_ARRAY':
      return readDeltaLengths(reader, count)
    case 'DELTA_BYTE_ARRAY':
      return readDeltaBytes(reader, count, budget)
    case 'BYTE_STREAM_SPLIT': {
      const size = element.type_length ?? (type === 'INT64' || type === 'DOUBLE' ? 8 : 4)
      if (count * size > bytes.length) throw new Error('a value is cut off')
      return byteStreamSplit(reader, count, type!, element.type_length)
    }
  }
  throw new Error(`values of the type ${type} are encoded as ${page.encoding}`)
}

function decodePlain(reader: DataReader, count: number, element: SchemaElement): DecodedArray {
  const values = readPlain(reader, element.type!, count, element.type_length)
  // Values are views on the memory that the page is in, which may have more.
  if (reader.offset > reader.view.byteLength) throw new Error('a value is cut off')
  return values
}

function readerOf(bytes: Uint8Array): DataReader {
  return { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: 0 }
}

/**
 * Reads numbers of so many bits each from runs, each of which is one number repeated or numbers side by side
 * (https://parquet.apache.org/docs/file-format/data-pages/encodings/, RLE/Bit-Packing Hybrid). They fill the
 * output, and nothing beyond it is read.
 * @throws Error where they do not
 */
export function readRuns(bytes: Uint8Array, width: number, output: Uint8Array | Uint32Array): void {
  if (width > 32) throw new Error(`numbers of a page have ${width} bits`)
  const mask = width === 32 ? 0xffffffff : 2 ** width - 1
  let at = 0
  let written = 0
  const next = (): number => {
    const byte = bytes[at]
    if (byte === undefined) throw new Error('a run is cut off')
    at += 1
    return byte
  }
  while (written < output.length) {
    let head = 0
    for (let factor = 1; ; factor *= 0x80) {
      if (factor > 2 ** 28) throw new Error('a run has no valid length')
      const byte = next()
      head += (byte & 0x7f) * factor
      if (byte < 0x80) break
    }
    const count = Math.floor(head / 2)
    if (head % 2 === 0) {
      if (count > output.length - written) throw new Error('a run is longer than its page')
      let value = 0
      for (let bits = 0; bits < width; bits += 8) value += next() * 2 ** bits
      if (value > mask) throw new Error(`a run is of ${value}, in ${width} bits`)
      output.fill(value, written, written + count)
      written += count
      continue
    }
    // The last of them are padded to a multiple of eight.
    const end = Math.min(output.length, written + count * 8)
    if (at + Math.ceil(((end - written) * width) / 8) > bytes.length) {
      throw new Error('a run is cut off')
    }
    for (let bit = 0; written < end; bit += width, written += 1) {
      const from = at + (bit >>> 3)
      const skip = bit & 7
      const four =
        bytes[from]! | (bytes[from + 1]! << 8) | (bytes[from + 2]! << 16) | (bytes[from + 3]! << 24)
      const rest = skip + width > 32 ? bytes[from + 4]! << (32 - skip) : 0
      output[written] = ((four >>> skip) | rest) & mask
    }
    at += count * width
  }
}
