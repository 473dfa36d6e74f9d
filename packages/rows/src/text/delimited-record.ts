import type { Cell, Dialect } from './parse-delimited.ts'

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

const lineEnds = /\r\n|[\r\n]/g

/** Writes a cell as a dialect reads it; undefined where it has no way to write such a text. */
export function writeDialectCell(
  cell: Cell,
  { delimiter, quote, escape = '', null: nullText, comment }: Dialect,
): string | undefined {
  if (cell === undefined) return ''
  if (cell === null) return nullText
  const means = [delimiter, quote, escape, '\n', '\r'].filter((each) => each !== '')
  const isPlain =
    cell !== '' &&
    cell !== nullText &&
    !(comment !== undefined && cell.startsWith(comment)) &&
    !means.some((each) => cell.includes(each))
  if (isPlain) return cell
  const escaped = escape === '' ? cell : cell.replaceAll(escape, escape + escape)
  if (quote !== '') return `${quote}${escaped.replaceAll(quote, quote + quote)}${quote}`
  if (escape === '' || cell === '' || cell === nullText) return undefined
  if (comment !== undefined && cell.startsWith(comment)) return undefined
  return escaped.replaceAll(delimiter, escape + delimiter).replaceAll(lineEnds, `${escape}$&`)
}

/** A plain number is no formula, and spreadsheets take it for what it is. */
const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/**
 * How a cell begins that spreadsheets may take for a formula
 * (https://owasp.org/www-community/attacks/CSV_Injection), or that is taken for a guarded one.
 */
const opening = /^'*[=+\-@\t\r\n]/

/** Puts a `'` before a cell that could be a formula, which makes it text. */
export function guardCell(cell: string): string {
  return opening.test(cell) && !plainNumber.test(cell) ? `'${cell}` : cell
}

/** Takes away what `guardCell` puts there. */
export function unguardCell(cell: string): string {
  return cell.startsWith("'") && opening.test(cell) ? cell.slice(1) : cell
}
