import type { SourceRow } from '../../../rows/src/row-batch.ts'

/** Reads the rows of a text that comes piece by piece. */
export type RowReader = {
  /** The names of the columns found so far. */
  readonly columns: readonly string[]
  /**
   * The rows that end in the next piece.
   * @throws UnreadableFile
   */
  read: (text: string, isLast: boolean) => SourceRow[]
}
