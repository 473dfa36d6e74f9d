import { sql, type RawBuilder } from 'kysely'

// What the view language asks for, in the SQL of the engine. Wherever a value is missing, a test is
// NULL, which is as good as false until it is negated.

export type Expression = RawBuilder<unknown>
type Literal = string | number

/** Whether a test does not hold, where NULL is no more true than false. */
export const negated = (test: Expression): Expression => sql`(${test}) is not true`

export function isOneOf(subject: Expression, values: readonly Literal[]): Expression {
  // One parameter for any number of values: a statement takes 32,766.
  return sql`${subject} in (select value from json_each(${JSON.stringify(values)}))`
}

export const contains = (text: Expression, part: string): Expression =>
  sql`instr(${text}, ${part}) > 0`

/**
 * `folded` is folded already. SQLite's lower() folds ASCII alone, and does so without leaving SQLite;
 * a text is all ASCII when it has as many bytes as code points.
 */
export function containsFolded(text: Expression, folded: string): Expression {
  const isAscii = sql`length(${text}) = octet_length(${text})`
  const inAscii = sql`instr(lower(${text}), ${folded}) > 0`
  const inAny = sql`instr(fold_case(${text}), ${folded}) > 0`
  return /^[\0-\x7f]*$/.test(folded)
    ? sql`case when ${isAscii} then ${inAscii} else ${inAny} end`
    : sql`(not ${isAscii} and ${inAny})`
}

export const startsWith = (text: Expression, part: string): Expression =>
  sql`substr(${text}, 1, ${codePoints(part)}) = ${part}`

export function endsWith(text: Expression, part: string): Expression {
  return part === ''
    ? sql`${text} is not null`
    : sql`substr(${text}, ${-codePoints(part)}) = ${part}`
}

/** How many code points a text has; none of them is NUL, where SQLite would stop. */
export const length = (text: Expression): Expression => sql`length(${text})`

/** In lower case, of what is all ASCII. */
export const lower = (text: Expression): Expression => sql`lower(${text})`

/** The digits of an id, or a text as it is; '' where there is none. */
export const keyText = (value: Expression): Expression => sql`coalesce(cast(${value} as text), '')`

export const splitPoint = (key: Expression, salt: string, total: number): Expression =>
  sql`split_point(${key}, ${salt}, ${total})`

// Sort keys are written in hex and put together as bytes, so that one comparison of bytes is the
// comparison of all that they were made of. Only what can be missing has a byte before it to say so.

const numberMax = Number.MAX_SAFE_INTEGER

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
  return descending ? sql`inverted_hex(${text})` : sql`hex(${text}) || '00'`
}

function numberPart(number: Expression, descending: boolean): Expression {
  return sql`printf('%014X', ${descending ? sql`${sql.lit(numberMax)} - ${number}` : number})`
}

/** The position that ends a sort key, so that no two are the same. */
export const positionPart = (position: Expression): Expression => sql`printf('%012X', ${position})`

/** A key that ends as another one, or with a position. */
export const sortKey = (parts: readonly Expression[], end: Expression): Expression =>
  sql`unhex(${sql.join([...parts, end], sql` || `)})`

export const hexOf = (key: Expression): Expression => sql`hex(${key})`

function codePoints(text: string): number {
  return Array.from(text).length
}
