import { guardCell } from './guard-cell.ts'

const special = /["\r\n]/

/**
 * Writes one record of RFC 4180: null is an empty cell, and the empty text one in quotes, as PostgreSQL's
 * COPY tells them apart.
 */
export function writeRecord(
  cells: readonly (string | number | null)[],
  { delimiter, guard }: { delimiter: string; guard: boolean },
): string {
  let record = ''
  for (let index = 0; index < cells.length; index += 1) {
    if (index > 0) record += delimiter
    const cell = cells[index]!
    if (typeof cell === 'number') record += cell
    else if (cell !== null) record += writeText(guard ? guardCell(cell) : cell, delimiter)
  }
  return `${record}\r\n`
}

function writeText(text: string, delimiter: string): string {
  if (text !== '' && !special.test(text) && !text.includes(delimiter)) return text
  return `"${text.replaceAll('"', '""')}"`
}
