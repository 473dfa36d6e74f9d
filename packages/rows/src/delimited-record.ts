import { guardCell } from './guard-cell.ts'

export type DelimitedOptions = { delimiter: string; guard: boolean }

const special = /["\r\n]/

/**
 * Writes one record of RFC 4180: null is an empty cell, and the empty text one in quotes, as PostgreSQL's
 * COPY tells them apart.
 */
export function writeRecord(
  cells: readonly (string | number | null)[],
  options: DelimitedOptions,
): string {
  let record = ''
  for (let index = 0; index < cells.length; index += 1) {
    if (index > 0) record += options.delimiter
    const cell = cells[index]!
    if (typeof cell === 'number') record += cell
    else if (cell !== null) record += writeCell(cell, options)
  }
  return `${record}\r\n`
}

/** Writes one cell that is not missing. */
export function writeCell(cell: string, { delimiter, guard }: DelimitedOptions): string {
  const text = guard ? guardCell(cell) : cell
  if (text !== '' && !special.test(text) && !text.includes(delimiter)) return text
  return `"${text.replaceAll('"', '""')}"`
}
