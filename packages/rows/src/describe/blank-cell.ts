import type { SchemaField } from '@vitrine/contract'
import { typeOf } from '@vitrine/contract/values/index'

const spaces = /^[ \t\r\n]*$/

/**
 * Whether a cell of CSV or TSV has no value for a field, or for what is said about one. Programs that put quotes
 * around every cell write a missing number as `""`; spaces around values mean nothing, but in text.
 */
export function isBlankCell(cell: string, field: SchemaField | undefined): boolean {
  if (field !== undefined && hasEmptyText(field)) return false
  return cell === '' || (field !== undefined && isSpace(cell))
}

/** Whether there are spaces, tabs and line breaks in a cell alone, or nothing. */
export function isSpace(cell: string): boolean {
  return cell === '' || (cell.charCodeAt(0) <= 0x20 && spaces.test(cell))
}

/** Whether the empty text is a value of a field. */
export function hasEmptyText(field: SchemaField): boolean {
  return typeOf(field).emptyValue === ''
}
