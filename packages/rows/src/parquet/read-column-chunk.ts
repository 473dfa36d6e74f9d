import type { AsyncBuffer, DecodedArray, RowGroup } from 'hyparquet'
import {
  type Page,
  type PagePlace,
  FileWindow,
  findPage,
  readBody,
  stretchOf,
} from './column-pages.ts'
import { type PageFormat, type PageValues, decodeDictionary, decodePage } from './decode-page.ts'

/** The last page that was read of a column, and its dictionary: rows behind are looked for from there. */
export type ReachedPage = {
  group: RowGroup
  place: PagePlace
  /** Rows before it, of a nested column, whose places are told by values. */
  rows?: number
  dictionary: Page | undefined
}

/** A flat column of a file, or a leaf of a nested one. */
export type LeafColumn<Format = PageFormat> = {
  file: AsyncBuffer
  name: string
  /** Place of its chunk in a group of rows. */
  chunk: number
  format: Omit<Format, 'codec'>
  /** Makes values of what is stored. */
  convert: (stored: DecodedArray) => ArrayLike<unknown>
  /** By the chunks of columns. */
  reached: Map<number, ReachedPage>
}

/** A page of data, with what it is decoded by. */
type DataPage<Format> = {
  place: PagePlace
  page: Page
  readBody: () => Promise<Uint8Array>
  format: Format
  dictionary: Page | undefined
  entries: ArrayLike<unknown> | undefined
}

/** Pages may be empty, but a file is not made of them. */
const emptyMax = 1000

/**
 * Finds the pages of data of a column in a group, one after the other.
 * @param valuesMax values that they have at most, which is what places are told by
 * @param resumed an earlier page, to begin with
 */
export async function* dataPages<Format extends PageFormat>(
  { file, name, chunk, format: shared, convert }: LeafColumn<Format>,
  {
    group,
    valuesMax,
    resumed,
  }: { group: RowGroup; valuesMax: number; resumed: ReachedPage | undefined },
): AsyncGenerator<DataPage<Format>, void, undefined> {
  const columnChunk = group.columns[chunk]
  if (columnChunk?.meta_data?.path_in_schema[0] !== name)
    throw new Error(`there is no chunk of ${name}`)
  const stretch = stretchOf(columnChunk, valuesMax, file.byteLength)
  const format = { ...shared, codec: stretch.codec } as Format
  const window = new FileWindow(file, stretch.end)
  const readEntries = async (page: Page) =>
    convert(decodeDictionary(await readBody(window, page), page, format))
  let dictionary = resumed?.dictionary
  let entries = dictionary && (await readEntries(dictionary))
  let empty = 0
  for (let place = resumed?.place ?? { at: stretch.start, row: 0 }; place.row < stretch.rows;) {
    const page = await findPage(window, stretch, place)
    if (page.isDictionary) {
      dictionary = page
      entries = await readEntries(page)
    } else {
      yield { place, page, readBody: () => readBody(window, page), format, dictionary, entries }
    }
    if (page.next.row === page.row) empty += 1
    if (empty > emptyMax) throw new Error(`more than ${emptyMax} pages have no rows`)
    place = page.next
  }
}

/**
 * Reads some rows of a group, the last left out, and hands over the values of those that have one. Pages of
 * other rows are passed over.
 */
export async function readColumnChunk(
  column: LeafColumn,
  { group, from, to }: { group: RowGroup; from: number; to: number },
  put: (row: number, value: unknown) => void,
): Promise<void> {
  const { chunk, convert, reached } = column
  const last = reached.get(chunk)
  const resumed = last?.group === group && last.place.row <= from ? last : undefined
  const pages = dataPages(column, { group, valuesMax: Number(group.num_rows), resumed })
  for await (const { place, page, readBody: read, format, dictionary, entries } of pages) {
    if (page.next.row > from) {
      const rows = { start: Math.max(from, page.row), end: Math.min(to, page.next.row) }
      const decoded = decodePage(await read(), page, format)
      const { present, stored } = cut(decoded, rows.start - page.row, rows.end - page.row)
      const values = decoded.areEntries ? look(stored as Uint32Array, entries) : convert(stored)
      let index = 0
      for (let row = rows.start; row < rows.end; row += 1) {
        if (present?.[row - rows.start] === 0) continue
        put(row, values[index])
        index += 1
      }
      reached.set(chunk, { group, place, dictionary })
    }
    if (page.next.row >= to) return
  }
}

/** Cuts the rows of a page from one to another, the last left out, from its stored values. */
function cut(
  { present, stored }: PageValues,
  start: number,
  end: number,
): Pick<PageValues, 'present' | 'stored'> {
  if (present === undefined) return { present, stored: stored.slice(start, end) }
  const before = sum(present.subarray(0, start))
  const wanted = present.subarray(start, end)
  return { present: wanted, stored: stored.slice(before, before + sum(wanted)) }
}

function sum(levels: Uint8Array): number {
  let total = 0
  for (const level of levels) total += level
  return total
}

/** The entries of a dictionary at those places. */
export function look(places: Uint32Array, entries: ArrayLike<unknown> = []): unknown[] {
  const values = Array<unknown>(places.length)
  for (let index = 0; index < places.length; index += 1) {
    const place = places[index]!
    if (place >= entries.length) throw new Error('a dictionary has no such entry')
    values[index] = entries[place]
  }
  return values
}
