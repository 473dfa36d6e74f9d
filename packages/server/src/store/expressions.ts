import { sql } from 'kysely'
import { inEngine, type Expression, type RowLock } from './engine-sql.ts'

export type { Expression } from './engine-sql.ts'

/** Rows of numbers in a query, as `value`: one parameter for any number of them. */
export const numbers = (values: readonly number[]): Expression =>
  inEngine((engine) => engine.numbers(values))

/** Rows of a query that stand in JSON in UTF-8, a list of lists of cells: one parameter for all of them. */
export const listedRows = (json: Uint8Array): Expression =>
  inEngine((engine) => engine.listedRows(json))

/** Of a listed row, its place in the list, from 0. */
export const listedIndex: Expression = inEngine((engine) => engine.listedIndex())

/** Of a listed row, the cell at a place from 0. */
export const listedCell = (at: number, type: 'text' | 'integer'): Expression =>
  inEngine((engine) => engine.listedCell(at, type))

/** Of a listed row, its part of bytes that all rows have equally many of, one row after the other. */
export const listedBytes = (bytes: Uint8Array, each: number): Expression =>
  inEngine((engine) => engine.listedBytes(bytes, each))

/** Of a row, its cells as a list in JSON. */
export const cellList = (cells: readonly Expression[]): Expression =>
  inEngine((engine) => engine.cellList(cells))

/** Of the rows of a query, in its order, what `cellList` made of each: `JoinedLists`. */
export const joinedLists = (list: Expression): Expression =>
  inEngine((engine) => engine.joinedLists(list))

/** Lists in JSON with commas between, in UTF-8 or still to be written so; null of no rows. */
export type JoinedLists = Uint8Array<ArrayBuffer> | string | null

/** The positions of rows that are added to a table in the order of `by`. */
export const nextPositions = (after: {
  count: Expression
  by: Expression
  isBegun: boolean
}): Expression => inEngine((engine) => engine.nextPositions(after))

/** Ends a query whose rows must stay as they are, or stay at all, until the transaction is over. */
export const rowLock = (strength: RowLock): Expression =>
  inEngine((engine) => engine.rowLock(strength))

// What the view language asks for. Wherever a value is missing, a test is NULL, which is as good as
// false until it is negated.

/** Whether a test does not hold, where NULL is no more true than false. */
export const negated = (test: Expression): Expression => sql`(${test}) is not true`

export const isOneOf = (subject: Expression, values: readonly (string | number)[]): Expression =>
  inEngine((engine) => engine.isOneOf(subject, values))

export const contains = (text: Expression, part: string): Expression =>
  inEngine((engine) => engine.contains(text, part))

/** `folded` is folded already. */
export const containsFolded = (text: Expression, folded: string): Expression =>
  inEngine((engine) => engine.containsFolded(text, folded))

export const startsWith = (text: Expression, part: string): Expression =>
  sql`substr(${text}, 1, ${Array.from(part).length}) = ${part}`

export const endsWith = (text: Expression, part: string): Expression =>
  inEngine((engine) => engine.endsWith(text, part))

/** How many code points a text has. */
export const length = (text: Expression): Expression => inEngine((engine) => engine.length(text))

/** In lower case, of what is all ASCII. */
export const lower = (text: Expression): Expression => sql`lower(${text})`

/** The digits of an id, or a text as it is; '' where there is none. */
export const keyText = (value: Expression): Expression => sql`coalesce(cast(${value} as text), '')`

export const splitPoint = (key: Expression, salt: string, total: number): Expression =>
  inEngine((engine) => engine.splitPoint(key, salt, total))

// Sort keys are written in hex and put together as bytes, so that one comparison of bytes is the
// comparison of all that they were made of. Only what can be missing has a byte before it to say so.

const numberMax = Number.MAX_SAFE_INTEGER
const numberDigits = 14
const positionDigits = 12

/** Of a text, which holds no NUL, or of a number from 0 that JavaScript counts exactly. */
export function sortKeyPart(
  value: Expression,
  {
    type,
    descending,
    optional,
  }: { type: 'text' | 'number'; descending: boolean; optional: boolean },
): Expression {
  const present = type === 'text' ? textPart(value, descending) : numberPart(value, descending)
  return optional ? sql`case when ${value} is null then '01' else '00' || ${present} end` : present
}

function textPart(text: Expression, descending: boolean): Expression {
  return inEngine((engine) => engine.textInHex(text, descending))
}

function numberPart(number: Expression, descending: boolean): Expression {
  const turned = descending ? sql`${sql.lit(numberMax)} - ${number}` : number
  return inEngine((engine) => engine.numberInHex(turned, numberDigits))
}

/** The position that ends a sort key, so that no two are the same. */
export const positionPart = (position: Expression): Expression =>
  inEngine((engine) => engine.numberInHex(position, positionDigits))

/** A key that ends as another one, or with a position. */
export function sortKey(parts: readonly Expression[], end: Expression): Expression {
  const hex = sql`${sql.join([...parts, end], sql` || `)}`
  return inEngine((engine) => engine.bytesOf(hex))
}

export const hexOf = (key: Expression): Expression => inEngine((engine) => engine.hexOf(key))

/** A statement after which a table's numbered key is larger than `last`. */
export const skipNumbers = (table: string, last: number): Expression =>
  inEngine((engine) => engine.skipNumbers(table, last))
