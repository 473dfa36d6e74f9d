import type { CellKind, FieldType } from '@vitrine/contract'
import { type OperationNode, type RawBuilder, FunctionNode, sql } from 'kysely'

export type Expression = RawBuilder<unknown>

/**
 * SQL that the engines write differently. Queries use it by the functions of `expressions.ts` and the values below;
 * the query compiler of the engine that they run on inserts it.
 */
export type EngineSql = {
  /** Milliseconds since 1970 by the database's own clock, the same throughout a statement. */
  now: () => Expression

  // Tables
  /** A key that numbers its rows and gives no number twice. */
  numberedKey: () => Expression
  /** A statement after which no key up to `last` is given any more. */
  skipNumbers: (table: string, last: number) => Expression
  integer: () => Expression
  /** 64-bit floating point numbers. */
  number: () => Expression
  text: () => Expression
  bytes: () => Expression
  /** Ends a table. `byKey`: one that is looked into by its primary key alone. */
  tableEnd: (table: { byKey: boolean }) => Expression
  /** Rows of numbers in a query, as `value`. */
  numbers: (values: readonly number[]) => Expression
  /** Rows of a query that stand in JSON in UTF-8: a list of lists of cells. */
  listedRows: (json: Uint8Array) => Expression
  /** Index of a listed row, from 0. */
  listedIndex: () => Expression
  listedCell: (at: number, kind: CellKind) => Expression
  /** Part of a listed row in bytes that hold `each` bytes for every row. */
  listedBytes: (bytes: Uint8Array, each: number) => Expression
  /** The columns of a query whose rows `joinedCells` joins; as many cells as a table has columns. */
  cellColumns: (cells: readonly Expression[]) => Expression
  /** Joins the rows of a query with the `cellColumns` of so many cells: `JoinedCells`. */
  joinedCells: (cells: number) => Expression
  /** Joins the texts of the rows of a query by commas. */
  joinedTexts: (text: Expression) => Expression
  /**
   * The positions of rows that come after the `count` that a table has, in the order of `by`. The table's
   * key is its position, dense from 0; `isBegun` says that there are rows in it.
   */
  nextPositions: (after: { count: Expression; by: Expression; isBegun: boolean }) => Expression
  /** A condition that follows from others of a query, where a planner chooses better by it. */
  implied: (condition: Expression) => Expression
  /** Ends a query that locks its rows until the transaction ends, against changes by others or by all. */
  rowLock: (strength: RowLock) => Expression

  // The view language. Wherever a value is missing, a test is NULL.
  isOneOf: (subject: Expression, values: readonly (string | number)[], kind: CellKind) => Expression
  contains: (text: Expression, part: string) => Expression
  /** The contract's `fitsPattern`. */
  fitsName: (name: Expression, pattern: string) => Expression
  /** `folded` is folded already. */
  containsFolded: (text: Expression, folded: string) => Expression
  /** `folded` is folded already by the contract's `foldSearch`. */
  containsSearched: (text: Expression, folded: string) => Expression
  /** The contract's `searchBeginning`; of a long text its beginning decides. */
  beginsSearched: (text: Expression, folded: Expression) => Expression
  endsWith: (text: Expression, part: string) => Expression
  /** A text that is compared by code points, whatever the order of its column or of a function is. */
  inCodePoints: (text: Expression) => Expression
  /** How many code points a text has. */
  length: (text: Expression) => Expression
  /** The text of JSON where it is one, otherwise its canonical text; NULL of a text with NUL. */
  plainJson: (json: Expression) => Expression
  /** The cell that the contract's `readCast` reads in a text. */
  castText: (text: Expression, to: FieldType) => Expression
  /** In hex. */
  sha256Of: (text: Expression) => Expression
  /** The sha256 of a text in hex where it begins with a check of 8 digits; else the check and zeros. */
  checkedDigest: (text: Expression, check: Expression) => Expression
  splitPoint: (key: Expression, salt: string, total: number) => Expression
  /** The contract's `naturalKey`. */
  naturalKey: (text: Expression) => Expression
  /** The bytes of a text and of what ends it, for `joinedBytes`; `inverted` in the order opposite to their own. */
  textBytes: (text: Expression, inverted: boolean) => Expression
  /** A whole number from 0 in so many bytes, for `joinedBytes`. */
  numberBytes: (number: Expression, count: number) => Expression
  /** A 64-bit floating point number in 8 bytes, in the order of numbers, for `joinedBytes`. */
  floatBytes: (number: Expression) => Expression
  byte: (value: number) => Expression
  /** Bytes of parts, one after the other. */
  joinedBytes: (parts: readonly Expression[]) => Expression
  /** The text of a 64-bit floating point number as ECMA-262 §6.1.6.1.20 has it. */
  numberText: (number: Expression) => Expression
  /** Writes a number exactly, as a cell of `cellColumns`. */
  numberCell: (number: Expression) => Expression
  hexOf: (bytes: Expression) => Expression
}

/** `keep` keeps others from removing a row, `share` from changing it, `change` from locking it too. */
export type RowLock = 'keep' | 'share' | 'change' | 'remove'

type EngineCall = FunctionNode & { ask: (engine: EngineSql) => Expression }

/** Stands in a query for what its engine is going to write. */
export function inEngine(ask: (engine: EngineSql) => Expression): Expression {
  const call: EngineCall = { ...FunctionNode.create('in_engine', []), ask }
  return sql`${{ toOperationNode: () => call }}`
}

/** Returns the SQL of an engine for a node; undefined for a node that `inEngine` did not make. */
export function writtenBy(engine: EngineSql, node: FunctionNode): OperationNode | undefined {
  return 'ask' in node ? (node as EngineCall).ask(engine).toOperationNode() : undefined
}

/** The database's own clock, in milliseconds since 1970: deadlines are judged by it. */
export const now = inEngine((engine) => engine.now()) as RawBuilder<number>

/** A primary key that numbers its rows and gives no number twice. */
export const numberedKey = inEngine((engine) => engine.numberedKey())
/** Whole numbers that JavaScript counts exactly. */
export const integer = inEngine((engine) => engine.integer())
/** 64-bit floating point numbers, never -0. */
export const number = inEngine((engine) => engine.number())
/** Text without U+0000, in the order of its code points. */
export const text = inEngine((engine) => engine.text())
export const bytes = inEngine((engine) => engine.bytes())
/** Ends a table whose columns take nothing but what is of their type. */
export const strict = inEngine((engine) => engine.tableEnd({ byKey: false }))
/** End of a strict table whose rows are found by the primary key alone. */
export const strictByKey = inEngine((engine) => engine.tableEnd({ byKey: true }))
