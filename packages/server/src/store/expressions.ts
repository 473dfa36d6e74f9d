import type { CellKind, FieldType } from '@vitrine/contract'
import { sql } from 'kysely'
import { inEngine, type Expression, type RowLock } from './engine-sql.ts'

export type { Expression } from './engine-sql.ts'

/** Rows of numbers in a query, as `value`: one parameter for any number of them. */
export const numbers = (values: readonly number[]): Expression =>
  inEngine((engine) => engine.numbers(values))

/** Rows of a query that stand in JSON in UTF-8, a list of lists of cells: one parameter for all of them. */
export const listedRows = (json: Uint8Array): Expression =>
  inEngine((engine) => engine.listedRows(json))

/** Index of a listed row, from 0. */
export const listedIndex: Expression = inEngine((engine) => engine.listedIndex())

/** Cell of a listed row, by its index from 0. */
export const listedCell = (at: number, kind: CellKind): Expression =>
  inEngine((engine) => engine.listedCell(at, kind))

/** Part of a listed row in bytes that hold `each` bytes for every row. */
export const listedBytes = (bytes: Uint8Array, each: number): Expression =>
  inEngine((engine) => engine.listedBytes(bytes, each))

/** The columns of a query whose rows `joinedCells` joins. */
export const cellColumns = (cells: readonly Expression[]): Expression =>
  inEngine((engine) => engine.cellColumns(cells))

/** Joins the rows of a query that has the `cellColumns` of so many cells, in its order. */
export const joinedCells = (cells: number): Expression =>
  inEngine((engine) => engine.joinedCells(cells))

/**
 * Lists of cells in JSON with commas between: one for each row, in UTF-8, or, as a text, one for each column, which
 * takes PostgreSQL less than half as long (docs/decisions/exports.md); null of no rows.
 */
export type JoinedCells = Uint8Array<ArrayBuffer> | string | null

/** Joins the texts of the rows of a query by commas, in its order: in UTF-8 or as a text; null of no rows. */
export const joinedTexts = (text: Expression): Expression =>
  inEngine((engine) => engine.joinedTexts(text))

/** The positions of rows that are added to a table in the order of `by`. */
export const nextPositions = (after: {
  count: Expression
  by: Expression
  isBegun: boolean
}): Expression => inEngine((engine) => engine.nextPositions(after))

/** A condition that follows from others of a query, for a planner that does not see that. */
export const implied = (condition: Expression): Expression =>
  inEngine((engine) => engine.implied(condition))

/** Ends a query whose rows must stay as they are, or stay at all, until the transaction is over. */
export const rowLock = (strength: RowLock): Expression =>
  inEngine((engine) => engine.rowLock(strength))

// What the view language asks for. Wherever a value is missing, a test is NULL, which is as good as
// false until it is negated.

/** Whether a test does not hold, where NULL is no more true than false. */
export const negated = (test: Expression): Expression => sql`(${test}) is not true`

export const isOneOf = (
  subject: Expression,
  values: readonly (string | number)[],
  kind: CellKind,
): Expression => inEngine((engine) => engine.isOneOf(subject, values, kind))

export const fitsName = (name: Expression, pattern: string): Expression =>
  inEngine((engine) => engine.fitsName(name, pattern))

export const contains = (text: Expression, part: string): Expression =>
  inEngine((engine) => engine.contains(text, part))

/** `folded` is folded already. */
export const containsFolded = (text: Expression, folded: string): Expression =>
  inEngine((engine) => engine.containsFolded(text, folded))

/** `folded` is folded already by the contract's `foldSearch`. */
export const containsSearched = (text: Expression, folded: string): Expression =>
  inEngine((engine) => engine.containsSearched(text, folded))

/** 0 where a text is a folded one, 1 where it begins with that, NULL otherwise. */
export const beginsSearched = (text: Expression, folded: Expression): Expression =>
  inEngine((engine) => engine.beginsSearched(text, folded))

export const startsWith = (text: Expression, part: string): Expression =>
  sql`substr(${text}, 1, ${Array.from(part).length}) = ${part}`

export const endsWith = (text: Expression, part: string): Expression =>
  inEngine((engine) => engine.endsWith(text, part))

/** How many code points a text has. */
export const length = (text: Expression): Expression => inEngine((engine) => engine.length(text))

/** In lower case, of what is all ASCII. */
export const lower = (text: Expression): Expression => sql`lower(${text})`

/** The digits of a whole number, or a text as it is. */
export const digitsOf = (value: Expression): Expression => sql`cast(${value} as text)`

/** The contract's `naturalKey` of a text. */
export const naturalKey = (text: Expression): Expression =>
  inEngine((engine) => engine.naturalKey(text))

/** The canonical text of a 64-bit floating point number. */
export const numberText = (number: Expression): Expression =>
  inEngine((engine) => engine.numberText(number))

/** A 64-bit floating point number among the cells of `cellColumns`. */
export const numberCell = (number: Expression): Expression =>
  inEngine((engine) => engine.numberCell(number))

/** The canonical text of JSON, or, where that is a text by itself, this text; NULL where it has a NUL. */
export const plainJson = (json: Expression): Expression =>
  inEngine((engine) => engine.plainJson(json))

/** The cell of a type that a text is read as, by the contract's `readCast`; NULL where it is none. */
export const castText = (text: Expression, to: FieldType): Expression =>
  inEngine((engine) => engine.castText(text, to))

/** In hex, of the UTF-8 of a text. */
export const sha256Of = (text: Expression): Expression =>
  inEngine((engine) => engine.sha256Of(text))

/** The sha256 of a text in hex where it begins with a check of 8 digits; else the check and zeros. */
export const checkedDigest = (text: Expression, check: Expression): Expression =>
  inEngine((engine) => engine.checkedDigest(text, check))

export const splitPoint = (key: Expression, salt: string, total: number): Expression =>
  inEngine((engine) => engine.splitPoint(key, salt, total))

// Sort keys are put together from the bytes of parts, so that one comparison of bytes is the comparison of
// all that they were made of. Only what can be missing has a byte before it to say so.

const numberMax = Number.MAX_SAFE_INTEGER
const numberBytes = 7
const positionBytes = 6

/** A text, which holds no NUL; a whole number from 0, or any that JavaScript counts exactly; any number. */
export type SortKind = 'text' | 'count' | 'integer' | 'number'

export function sortKeyPart(
  value: Expression,
  { kind, descending, optional }: { kind: SortKind; descending: boolean; optional: boolean },
): Expression {
  const present = keyParts[kind](value, descending)
  if (!optional) return present
  return inEngine(({ byte }) => {
    return sql`case when ${value} is null then ${byte(1)} else ${byte(0)} || ${present} end`
  })
}

const keyParts: Record<SortKind, (value: Expression, descending: boolean) => Expression> = {
  text: textPart,
  count: countPart,
  integer: (number, descending) =>
    numberPart(sql`${sql.lit(numberMax)} ${descending ? sql`-` : sql`+`} ${number}`),
  number: (number, descending) =>
    inEngine((engine) => engine.floatBytes(descending ? sql`-${number}` : number)),
}

function textPart(text: Expression, descending: boolean): Expression {
  return inEngine((engine) => engine.textBytes(text, descending))
}

function countPart(number: Expression, descending: boolean): Expression {
  return numberPart(descending ? sql`${sql.lit(numberMax)} - ${number}` : number)
}

/** Writes a part of a number, from 0 to twice the largest safe integer. */
function numberPart(number: Expression): Expression {
  return inEngine((engine) => engine.numberBytes(number, numberBytes))
}

/** The position that ends a sort key, so that no two are the same. */
export const positionPart = (position: Expression): Expression =>
  inEngine((engine) => engine.numberBytes(position, positionBytes))

/** A key that ends as another one, or with a position. */
export function sortKey(parts: readonly Expression[], end: Expression): Expression {
  return inEngine((engine) => engine.joinedBytes([...parts, end]))
}

/** A key that is to end another one: its first bytes and the position where it has more than `bytesMax`. */
export function sortKeyEnd(key: Expression, position: Expression, bytesMax: number): Expression {
  const cut = sql`substr(${key}, 1, ${sql.lit(bytesMax - positionBytes)})`
  return sql`case when length(${key}) <= ${sql.lit(bytesMax)} then ${key}
    else ${cut} || ${positionPart(position)} end`
}

/** A text to be compared by code points. */
export const inCodePoints = (text: Expression): Expression =>
  inEngine((engine) => engine.inCodePoints(text))

/** The first code points of a text. */
export const beginning = (text: Expression, characters: number): Expression =>
  sql`substr(${text}, 1, ${sql.lit(characters)})`

export const hexOf = (key: Expression): Expression => inEngine((engine) => engine.hexOf(key))

/** A statement after which a table's numbered key is larger than `last`. */
export const skipNumbers = (table: string, last: number): Expression =>
  inEngine((engine) => engine.skipNumbers(table, last))
