import type { RawBuilder } from 'kysely'
import type { Expression } from './engine-sql.ts'

/** Statements of one transaction that runs apart from the event loop. */
export type ApartWrite = {
  /** A change that comes first; where it changes no row, nothing of the rest is done. */
  claim: RawBuilder<unknown>
  statements: readonly (RawBuilder<unknown> | ForEachRow)[]
}

/** A statement for each row of a list. */
export type ForEachRow = {
  /** JSON in UTF-8: a list of lists of cells. Its memory may be handed to another thread. */
  rows: Uint8Array<ArrayBuffer>
  statement: (row: ListedRow) => RawBuilder<unknown>
}

/** A row of the list, as a `select` that ends with `from` and a test has it. */
export type ListedRow = {
  /** From 0. */
  index: Expression
  cell: (index: number, type: 'text' | 'integer') => Expression
  from: Expression
}
