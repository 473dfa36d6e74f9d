/** A cell of a row as a database has it. */
export type Cell = string | number | null

/**
 * Some rows: a list of cells in JSON for each row, with commas between, in UTF-8. No object is made of a row
 * where its bytes are only handed on.
 */
export type RowLists = { count: number; bytes: Uint8Array<ArrayBuffer> }

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder() }

export function toRowLists(rows: readonly (readonly Cell[])[]): RowLists {
  const lists = rows.map((row) => JSON.stringify(row)).join(',')
  return { count: rows.length, bytes: utf8.encoder.encode(lists) }
}

/** The cells of some rows as values. */
export function parseRowLists({ bytes }: Pick<RowLists, 'bytes'>): Cell[][] {
  return JSON.parse(`[${utf8.decoder.decode(bytes)}]`)
}
