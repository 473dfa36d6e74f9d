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
