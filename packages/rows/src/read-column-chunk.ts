import type { AsyncBuffer, DecodedArray, RowGroup } from 'hyparquet'
import { findPage, readBody, stretchOf, type Page, type PagePlace } from './column-pages.ts'
import { decodeDictionary, decodePage, type PageFormat, type PageValues } from './decode-page.ts'
import { FileWindow } from './file-window.ts'

/** The last page that was read of a column, and its dictionary: rows behind are looked for from there. */
export type ReachedPage = {
  group: RowGroup
  place: PagePlace
  /** Rows before it, of a nested column, whose places are told by values. */
  rows?: number
  dictionary: Page | undefined
}

/** A flat column of a file. */
export type FlatColumn = {
  file: AsyncBuffer
  name: string
  /** Place of its chunk in a group of rows. */
  chunk: number
  format: Omit<PageFormat, 'codec'>
  /** Makes values of what is stored. */
  convert: (stored: DecodedArray) => ArrayLike<unknown>
  /** By the chunks of columns. */
  reached: Map<number, ReachedPage>
}

/** Pages may be empty, but a file is not made of them. */
const emptyMax = 1000

/**
 * Reads some rows of a group, the last left out, and hands over the values of those that have one. Pages of
 * other rows are passed over.
 */
export async function readColumnChunk(
  { file, name, chunk, format: shared, convert, reached }: FlatColumn,
  { group, from, to }: { group: RowGroup; from: number; to: number },
  put: (row: number, value: unknown) => void,
): Promise<void> {
  const found = group.columns[chunk]
  if (found?.meta_data?.path_in_schema[0] !== name) throw new Error(`there is no chunk of ${name}`)
  const stretch = stretchOf(found, Number(group.num_rows), file.byteLength)
  const format = { ...shared, codec: stretch.codec }
  const window = new FileWindow(file, stretch.end)
  const readEntries = async (page: Page) =>
    convert(decodeDictionary(await readBody(window, page), page, format))
  const last = reached.get(chunk)
  const resumed = last?.group === group && last.place.row <= from ? last : undefined
  let dictionary = resumed?.dictionary
  let entries = dictionary && (await readEntries(dictionary))
  let empty = 0
  for (let place = resumed?.place ?? { at: stretch.start, row: 0 }; place.row < to;) {
    const page = await findPage(window, stretch, place)
    if (page.isDictionary) {
      dictionary = page
      entries = await readEntries(page)
    } else if (page.next.row > from) {
      const rows = { start: Math.max(from, page.row), end: Math.min(to, page.next.row) }
      const decoded = decodePage(await readBody(window, page), page, format)
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
    if (page.next.row === page.row) empty += 1
    if (empty > emptyMax) throw new Error(`more than ${emptyMax} pages have no rows`)
    place = page.next
  }
}

/** What is stored of some rows of a page, the last left out. */
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
function look(places: Uint32Array, entries: ArrayLike<unknown> = []): unknown[] {
  const values = Array<unknown>(places.length)
  for (let index = 0; index < places.length; index += 1) {
    const place = places[index]!
    if (place >= entries.length) throw new Error('a dictionary has no such entry')
    values[index] = entries[place]
  }
  return values
}
