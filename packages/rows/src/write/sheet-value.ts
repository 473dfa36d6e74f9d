import type { Cell } from './row-lists.ts'

/** Value of a cell of a spreadsheet; a number has a format where it is not shown as it is. */
export type SheetValue = { text: string } | { boolean: 0 | 1 } | { number: number; format?: string }

/**
 * Spreadsheets keep 15 digits of a number, milliseconds of a moment and days since 1900 (ECMA-376 part 1 §18.17):
 * what has more or is before becomes a text.
 */
export function textValue(cell: Cell): SheetValue {
  return { text: String(cell) }
}

/** Numbers that a spreadsheet takes: those below are 0 to it, and those above damage. */
const magnitude = { min: 2.2251e-308, max: 9.99999999999999e307 }
/** Integers below have digits that spreadsheets keep, all 15 of them. */
const exactBelow = 1e15

export function numberValue(cell: Cell): SheetValue {
  const size = Math.abs(Number(cell))
  const isKept = Number.isInteger(cell)
    ? size < exactBelow
    : size >= magnitude.min && size <= magnitude.max
  return isKept ? { number: Number(cell) } : textValue(cell)
}

export function dateValue(day: string, format: string): SheetValue {
  const number = serialOf(day)
  return number === undefined ? textValue(day) : { number, format }
}

/** A moment in ISO 8601 with its Z; a text where a spreadsheet would keep another one. */
export function momentValue(
  moment: string,
  { second, millisecond }: { second: string; millisecond: string },
): SheetValue {
  const number = serialOf(moment)
  const [, fraction = ''] = /\.(\d+)Z$/.exec(moment) ?? []
  if (number === undefined || /^\d{3}0*[1-9]/.test(fraction)) return textValue(moment)
  return { number, format: /[1-9]/.test(fraction) ? millisecond : second }
}

const dayMs = 86_400_000
/** Days from the first of 1900 to where Unix counts from, with the 29 February that 1900 did not have. */
const epochDays = 25_569

/** Returns days since 1900 (§18.17.4.1); undefined before the day that spreadsheets count and 1900 did not have. */
function serialOf(moment: string): number | undefined {
  return moment < '1900-03-01' ? undefined : Date.parse(moment) / dayMs + epochDays
}
