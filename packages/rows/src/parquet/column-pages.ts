import type { AsyncBuffer, ColumnChunk, CompressionCodec, PageHeader } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { hasMoreValues } from './thrift-values.ts'

/** Range of a file that holds the pages of a column of a row group. */
export type PageStretch = { start: number; end: number; rows: number; codec: CompressionCodec }

/** Start of a page in the file, and the row of its group that its first value belongs to. */
export type PagePlace = { at: number; row: number }

/** A page as its header says, which has been checked: the values of a flat column are one for each row. */
export type Page = PagePlace & {
  header: PageHeader
  /** The values of a page of data, or the entries of a dictionary. */
  values: number
  encoding: string
  isDictionary: boolean
  bodyAt: number
  next: PagePlace
}

/**
 * Bounds of a page header: bytes of the first read, which grows sixteenfold until the header is whole, bytes and values
 * at most.
 */
const header = { bytesMin: 4096, bytesMax: 16 * 1024 ** 2, valuesMax: 1000 }
/** The most entries of a dictionary: it may have more than its column has rows, as those of Arrow do. */
const entriesMax = 2_000_000
/** The most bytes of a page, compressed or not. */
const pageBytesMax = 512 * 1024 ** 2

export function stretchOf(
  chunk: ColumnChunk | undefined,
  rows: number,
  fileBytes: number,
): PageStretch {
  const meta = chunk?.meta_data
  if (meta === undefined || chunk?.file_path !== undefined) throw new Error(notThere)
  const start = Number(meta.dictionary_page_offset || meta.data_page_offset)
  const end = Math.min(fileBytes, start + Number(meta.total_compressed_size))
  if (!(start >= 0 && start <= end)) throw new Error(notThere)
  return { start, end, rows, codec: meta.codec }
}

/** Reads the header of a page. Nothing is made of what it says before that is checked. */
export async function findPage(
  window: FileWindow,
  stretch: PageStretch,
  { at, row }: PagePlace,
): Promise<Page> {
  const { header: pageHeader, length } = await readHeader(window, at)
  const { data_page_header, data_page_header_v2, dictionary_page_header } = pageHeader
  const isDictionary = pageHeader.type === 'DICTIONARY_PAGE'
  const typeHeader = {
    DATA_PAGE: data_page_header,
    DATA_PAGE_V2: data_page_header_v2,
    DICTIONARY_PAGE: dictionary_page_header,
    INDEX_PAGE: undefined,
  }[pageHeader.type]
  if (typeHeader?.encoding === undefined) throw new Error('a page is of a type that is not known')
  const { num_values: values, encoding } = typeHeader
  const bodyAt = at + length
  const { compressed_page_size: size, uncompressed_page_size: unpackedSize } = pageHeader
  if (!isWhole(size, Math.min(pageBytesMax, stretch.end - bodyAt))) throw new Error(cutOff)
  if (!isWhole(unpackedSize, pageBytesMax)) throw new Error(`a page has ${unpackedSize} bytes`)
  if (!isWhole(values, isDictionary ? entriesMax : stretch.rows - row)) {
    throw new Error(`a page says that it has ${values} values`)
  }
  const next = { at: bodyAt + size, row: isDictionary ? row : row + values }
  return { at, row, header: pageHeader, values, encoding, isDictionary, bodyAt, next }
}

export async function readBody(window: FileWindow, { header: pageHeader, bodyAt }: Page) {
  const size = pageHeader.compressed_page_size
  const body = await window.at(bodyAt, size)
  if (body.length < size) throw new Error(cutOff)
  return body
}

async function readHeader(
  window: FileWindow,
  at: number,
): Promise<{ header: PageHeader; length: number }> {
  for (let most = header.bytesMin; ; most *= 16) {
    const bytes = await window.at(at, most)
    try {
      if (hasMoreValues(bytes, header.valuesMax)) throw new Error('a page has no valid header')
      const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: 0 }
      return { header: parquetHeader(reader), length: reader.offset }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      if (bytes.length < most || most >= header.bytesMax) throw new Error(cutOff, { cause: error })
    }
  }
}

function isWhole(value: unknown, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most
}

const cutOff = 'a page is cut off'
const notThere = 'a column is not in the file'

/** Bytes read ahead: a column of a small group comes with one read. */
const aheadBytes = 64 * 1024

/** A stretch of a file that is read from its start on, in pieces of any length. */
export class FileWindow {
  readonly #file: AsyncBuffer
  readonly #end: number
  #start = 0
  #bytes = new Uint8Array()

  /** `end` is where the stretch ends. */
  constructor(file: AsyncBuffer, end: number) {
    this.#file = file
    this.#end = end
  }

  /** Returns up to `length` bytes from an offset. */
  async at(offset: number, length: number): Promise<Uint8Array> {
    const end = Math.min(offset + length, this.#end)
    if (offset < this.#start || end > this.#start + this.#bytes.length) {
      const readEnd = Math.min(end + aheadBytes, this.#end)
      this.#bytes = new Uint8Array(await this.#file.slice(offset, Math.max(offset, readEnd)))
      this.#start = offset
    }
    return this.#bytes.subarray(offset - this.#start, Math.max(offset, end) - this.#start)
  }
}
