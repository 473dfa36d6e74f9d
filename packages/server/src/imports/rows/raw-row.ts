// Runs in a checking thread.

import { limits } from '@vitrine/contract/limits'
import type { ReadBlock } from '@vitrine/rows/row-block'
import type { TextBlock } from '@vitrine/rows/text/cut-blocks'
import type { ItemColumn } from './column.ts'

/** The unchecked content of one field in a row. */
export type RawValue = {
  /** A scalar or bytes, as the format has it; undefined where it is absent. */
  value?: unknown
  /** Whether it is JSON that was parsed, of a field for which that is not the same as its text. */
  isJson?: true
  /** A digest to hold the value against. */
  sha256?: string
  /** The media type that a binary value is said to have. */
  mime?: string
  /** The seal of the item that a reference leads to (`ItemSeals`), to hold that item against. */
  seal?: string
  /** The reference is to the one item whose field `by` has `value`. */
  lookup?: { by: string; value: string }
}

/** A parsed row: a value per schema field, or why the row is malformed. */
export type RawRow = {
  /** The line that it begins on, counted from 0 in its block; null where there are no lines. */
  line: number | null
  values: (RawValue | undefined)[]
  /** Id of the item that it is matched with, as the format has it, and what it does with that. */
  item?: { [about in ItemColumn['about']]?: unknown }
  problems: RowProblem[]
  /** Problems beyond `limits.rowProblems`, which are counted alone. */
  moreProblems?: number
  /** Whether it is no row of its format at all, as opposed to one with a value that is wrong. */
  isMalformed?: boolean
}

export type RowProblem = { field: string | null; reason: string; value?: string | undefined }

/** Adds a problem to a row, or counts it where the row has enough of them. */
export function addProblem(row: RawRow, makeProblem: () => RowProblem): void {
  if (row.problems.length < limits.rowProblems) row.problems.push(makeProblem())
  else row.moreProblems = (row.moreProblems ?? 0) + 1
}

/** Makes a row that is malformed in its format. */
export function malformedRow(line: number, reason: string): RawRow {
  return { line, values: [], problems: [{ field: null, reason }], isMalformed: true }
}

/** Is shown the rows of a block one after the other, so that they need not be there together. */
export type VisitRow = (row: RawRow) => void

/** A block whose rows were visited. */
export type ParsedBlock = Omit<ReadBlock, 'unreadable'> & {
  unreadable?: { line: number | null; reason: string }
  /** Bytes of the rows of a format that compresses them. */
  unpackedBytes?: number
  /** Rows that are left for another block, as these have as many bytes as one may. */
  rest?: RowRange
}

/** Rows that are checked together: their text, or which rows of a file that is not read in its order. */
export type Block = Omit<TextBlock, 'content'> & { content: TextBlock['content'] | RowRange }

/** Rows of a text from one to another, which is left out. */
export type TextRange = { text: TextBlock['content']; from: number; to: number }

/** Content of a block, or what is left of it. */
export type BlockContent = Block['content'] | TextRange

/** Returns the text that a block is in; undefined of rows of a file. */
export function blockText(content: BlockContent): TextBlock['content'] | undefined {
  if (content instanceof Uint8Array) return content
  return 'text' in content ? content.text : undefined
}

/** Rows of a group of rows, which are decoded together; the last ones are left out. */
export type RowRange = { group: { from: number; to: number }; from: number; to: number }
