import { backslash, closing, comma, opening, quote, space } from './cell-reader.ts'

/** A cell of a row as a database has it. */
export type Cell = string | number | null

/**
 * Some rows: a list of cells in JSON for each row, with commas between, in UTF-8. No object is made of a row
 * where its bytes are only handed on.
 */
export type RowLists = { layout: 'rows'; count: number; bytes: Uint8Array<ArrayBuffer> }

/** Some rows with a list for each column instead: `byRows` lists them as writers take them. */
export type ColumnLists = Omit<RowLists, 'layout'> & { layout: 'columns' }

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder() }

export function toRowLists(rows: readonly (readonly Cell[])[]): RowLists {
  const lists = rows.map((row) => JSON.stringify(row)).join(',')
  return { layout: 'rows', count: rows.length, bytes: utf8.encoder.encode(lists) }
}

/** The cells of some rows as values. */
export function parseRowLists({ count, bytes, layout }: RowLists | ColumnLists): Cell[][] {
  const lists = JSON.parse(`[${utf8.decoder.decode(bytes)}]`) as Cell[][]
  if (layout === 'rows') return lists
  return Array.from({ length: count }, (_, row) => lists.map((column) => column[row]!))
}

/**
 * Lists columns by their rows. Cells are copied as they stand: to parse them and write them again takes five times as
 * long (docs/decisions/exports.md).
 */
export function byRows({ bytes, count }: ColumnLists): RowLists {
  const cursors = findLists(bytes)
  // Each cell has a comma or a bracket behind it as before, and a row a bracket and a comma beside.
  const rows = new Uint8Array(bytes.length + 2 * count)
  let length = 0
  for (let row = 0; row < count; row += 1) {
    rows[length] = opening
    length += 1
    for (let column = 0; column < cursors.length; column += 1) {
      const end = cellEnd(bytes, cursors[column]!)
      for (let at = cursors[column]!; at < end; at += 1) {
        rows[length] = bytes[at]!
        length += 1
      }
      rows[length] = comma
      length += 1
      cursors[column] = nextCell(bytes, end)
    }
    rows[length - 1] = closing
    rows[length] = comma
    length += 1
  }
  return { layout: 'rows', count, bytes: rows.subarray(0, length - 1) }
}

/** Indexes of the first cell of each list. */
function findLists(bytes: Uint8Array): number[] {
  const indexes: number[] = []
  let at = 0
  while (at < bytes.length) {
    // Behind the bracket.
    at += 1
    indexes.push(at)
    while (bytes[at] !== closing) at = nextCell(bytes, cellEnd(bytes, at))
    // Behind the bracket and the comma.
    at += 2
  }
  return indexes
}

/** Returns where a cell ends that begins at an index. */
function cellEnd(bytes: Uint8Array, begin: number): number {
  let at = begin
  if (bytes[at] === quote) {
    for (at += 1; bytes[at] !== quote; at += 1) if (bytes[at] === backslash) at += 1
    return at + 1
  }
  while (bytes[at] !== comma && bytes[at] !== closing) at += 1
  return at
}

/** Returns where the cell after one that ends at an index begins; after the last one, where the list ends. */
function nextCell(bytes: Uint8Array, end: number): number {
  if (bytes[end] !== comma) return end
  let at = end + 1
  while (bytes[at] === space) at += 1
  return at
}
