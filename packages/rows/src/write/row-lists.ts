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
  const { cursors, cellBytes } = findLists(bytes)
  // Around the cells of a row stand brackets, and before each but the first one a comma.
  const rows = new Uint8Array(cellBytes + count * (cursors.length + 2) - 1)
  let length = 0
  for (let row = 0; row < count; row += 1) {
    if (row > 0) length = put(rows, length, comma)
    length = put(rows, length, opening)
    for (let column = 0; column < cursors.length; column += 1) {
      if (column > 0) length = put(rows, length, comma)
      const end = cellEnd(bytes, cursors[column]!)
      for (let at = cursors[column]!; at < end; at += 1) length = put(rows, length, bytes[at]!)
      cursors[column] = nextCell(bytes, end)
    }
    length = put(rows, length, closing)
  }
  return { layout: 'rows', count, bytes: rows }
}

function put(target: Uint8Array, at: number, byte: number): number {
  target[at] = byte
  return at + 1
}

/** Finds the first cell of each list, and adds up the bytes of all cells. */
function findLists(bytes: Uint8Array): { cursors: number[]; cellBytes: number } {
  const cursors: number[] = []
  let cellBytes = 0
  let at = 0
  while (at < bytes.length) {
    // Behind the bracket.
    at += 1
    cursors.push(at)
    while (bytes[at] !== closing) {
      const end = cellEnd(bytes, at)
      cellBytes += end - at
      at = nextCell(bytes, end)
    }
    // Behind the bracket and the comma.
    at += 2
  }
  return { cursors, cellBytes }
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
