import type { Reading } from './reading.ts'

/** A row as it stands in a file. */
export type SourceRow = {
  /** Counted from 1; the line that it begins on, or in a format without lines which row it is. */
  line: number
  /** A value for each column; undefined or null where it is absent. */
  values: readonly unknown[]
  /** Why the row cannot be read, as one sentence without a full stop. */
  problem?: string
}

/** Some rows of a file, in its order. */
export type RowBatch = {
  /** The names of the columns found so far: later batches may have more. */
  columns: readonly string[]
  rows: readonly SourceRow[]
  /** How text or a workbook is read. */
  reading?: Reading | undefined
  workbook?: WorkbookFacts
  /** How far in the file this is. */
  bytes: number
}

/** Facts about a workbook beside its rows, as far as it was read. */
export type WorkbookFacts = {
  /** The sheet that is read, and the names of all. */
  sheet: string
  sheets: readonly string[]
  /** The row that has the names of the columns. */
  namesRow: number
  /** Areas of the sheet that is read in which only the first cell has a value. */
  mergedAreas: number
  hiddenRows: number
  hiddenColumns: number
}

/** The rest of a file cannot be read. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
  /** The end of a sentence about the file, or about `place`. */
  readonly reason: string
  /** Encoding that it may be in, where it is not in UTF-8. */
  readonly encoding: string | undefined

  constructor(
    reason: string,
    {
      place = 'The file',
      encoding,
      cause,
    }: { place?: string; encoding?: string | undefined; cause?: unknown } = {},
  ) {
    super(`${place} ${reason}`, { cause })
    this.reason = reason
    this.encoding = encoding
  }
}
