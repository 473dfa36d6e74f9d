import { limits } from '@vitrine/contract/limits'

/** The rows of a block, up to the first that makes the rest unreadable. */
export type ReadBlock = {
  /** Line breaks in the block. */
  lines: number
  /** Why the text from a line on, counted from 0, cannot be read. */
  unreadable?: { line: number; reason: string }
}

/** Is shown the rows of a block one after the other, so that they need not be there together. */
export type RowVisitor<Row> = {
  row: (row: Row, line: number) => void
  /** Called for a row that is malformed, while those after it can be read. */
  malformed: (line: number, reason: string) => void
}

export const notUtf8 = 'is not valid UTF-8: say by its encoding what it is, such as windows-1252'
/** Why a row of more than `limits.rowBytes` is refused. */
const tooLong = `is longer than ${limits.rowBytes / 1024 ** 2} MiB`

/** Says it of one that was read as far as a row may go: where a quote is missing, that is no row. */
export function sayTooLong(unreadable?: { reason: string }): string {
  return unreadable === undefined ? tooLong : `${tooLong} and ${unreadable.reason}`
}
