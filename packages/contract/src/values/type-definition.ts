import type * as z from 'zod/mini'
import type { OperatorName } from '../view/operators.ts'
import type { Literal, Predicate } from '../view/predicate.ts'

/** Keys of every field, whatever its type. */
export type FieldOf<Type extends string> = { name: string; type: Type; optional?: boolean }

/**
 * The part of zod by which value types describe the keys of their fields. Passed rather than imported, as threads that
 * read values have no use for it; by name, as a whole namespace would bring all of the library along.
 */
export type Zod = Pick<
  typeof z,
  | '_default'
  | 'array'
  | 'int'
  | 'maximum'
  | 'maxLength'
  | 'minimum'
  | 'minLength'
  | 'optional'
  | 'refine'
  | 'regex'
  | 'string'
>

export type Read<Value> = { ok: true; value: Value } | { ok: false; reason: string }
export type ReadLiteral = Read<Literal>

/** Change of a field in a new description; `reason` where values or their order would not fit it any more. */
export type FieldChange = { change: string; reason?: string }

/** Scale that values are drawn and counted on: by size, in time, or by name. */
export type ValueScale = 'number' | 'time' | 'name'

/** Input of what a value is compared with, in a form. */
export type OperandInput = {
  /** Shown while nothing is entered. */
  example?: string
  /** Whether true and false are offered instead of a text. */
  isTruth?: true
  /** Reads what was entered; the text as it is where left out. `literal` says what is wrong with it. */
  read?: (text: string) => unknown
}

/** Type that operators compare: of a field, of the id or moment of every row, or of a measure. */
export type ComparedType<Field = never> = {
  /** In a sentence: `an integer`. */
  noun: string
  operators: readonly OperatorName[]
  /** Reads what a value is compared with; undefined of what is compared by its measures alone. */
  literal?: (input: unknown, options: { isOrdering: boolean; field?: Field }) => ReadLiteral
  /** Orders two literals, where that is not the order of numbers or of code points. */
  compare?: (a: Literal, b: Literal, field: Field) => number | undefined
  /**
   * Explains why a comparison can never be true (a literal longer than the field, or not one of its choices).
   * `isPart`: the operator looks for a substring. `name` is that of the field, or the path to it.
   */
  neverMatches?: (
    value: Literal,
    field: Field,
    of: { isPart: boolean; name: string },
  ) => string | undefined
  /** Rewrites a test, where values are not in the order of what they are stored as. */
  rewrite?: (test: Predicate, field: Field) => Predicate
  /** Undefined where no plot shows the values. */
  scale: ValueScale | undefined
  /** Widths of bins, as cells, from the narrowest on; 1, 2 and 5 times powers of ten if left out. */
  steps?: readonly number[]
  /** Units that people count values in, the largest first, with the number of cells that each is. */
  units?: readonly (readonly [name: string, cells: number])[]
  operandInput: OperandInput
  /** Counts as empty, beside a missing value. */
  emptyValue?: Literal
}

/** Text by code point; whole numbers that JavaScript counts exactly; 64-bit floating point numbers, never -0. */
export type CellKind = 'text' | 'integer' | 'number'

/**
 * How values are written as text. The canonical text of a value is what its digest is over, and the only
 * one that forms and the API take.
 */
export type TextForm<Field, Value> = {
  toText: (value: Value) => string
  /** Reads a canonical text; the reason for refusing another one names the canonical one. */
  fromText: (text: string, field: Field) => Read<Value>
  /** Kind of the `Literal`s that values are compared and stored as. */
  cell: CellKind
  toCell: (value: Value) => string | number
  fromCell: (cell: string | number) => Value
  /** Reads what a file may have in its place: text, numbers and truth values. */
  fromFile: (input: unknown, field: Field) => Read<Value>
  /** The forms that files may have, as a sentence for the documents. */
  forms: string
  /** Reads a value of a format that has JSON of its own; left out where `fromFile` does. */
  fromJson?: (value: unknown) => Read<Value>
  /** Bytes of UTF-8 beyond which a text is not looked at, and what is then said. */
  maxBytes: (field: Field) => number
  tooLong: (field: Field) => string
}

/** A type for columns of files whose values are all written in its canonical text. */
export type InferredType = {
  /** In a sentence: `199 of 200 are integers`. */
  plural: string
  /** Whether formats that have types, such as Parquet, give a value of this text as text. */
  comesAsText: (text: string) => boolean
}

/** A value type: what a field holds, how it is written, compared and described. */
export type TypeDefinition<Field, Value> = ComparedType<Field> & {
  /** One sentence for completion. */
  summary: string
  /** The keys of its fields beyond name, type and optional, as a description writes them. */
  description?: (z: Zod) => Record<string, z.ZodMiniType>
  /** Shape of these keys in replies. */
  shape?: (z: Zod) => Record<string, z.ZodMiniType>
  /** Finds contradictions between the keys of a field, by the key. */
  problems?: (field: Field) => { key: string; reason: string }[]
  /** Compares the keys of two descriptions of a field that has values already. */
  changes?: (before: Field, after: Field) => FieldChange[]
  isOrdered: boolean
  /** How a column of a file is given the type; undefined where no column is. */
  inferred: InferredType | undefined
  /** Undefined of what is bytes. */
  text?: TextForm<Field, Value>
}

/** A type whose values are written as text. */
export type TextType<Field, Value> = TypeDefinition<Field, Value> & { text: TextForm<Field, Value> }

/** Bytes of a type whose texts are short, with room for spellings that are not canonical. */
export const shortBytes = () => 100

/** Input of counts and ids. */
export const countInput: OperandInput = {
  read: (text) => (/^\d{1,16}$/.test(text.trim()) ? Number(text) : text),
}

export const momentInput: OperandInput = {
  example: '2026-01-31 or 2026-01-31T09:30:00Z',
  read: (text) => text.trim(),
}

/** Operators that fit every type that has an order. */
export const comparisons = [
  'eq',
  'neq',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'nin',
  'between',
] as const satisfies OperatorName[]

/** Operators that fit every type whose values are compared as texts. */
export const textComparisons = [
  ...comparisons,
  'contains',
  'icontains',
  'search',
  'starts_with',
  'ends_with',
  'empty',
] as const satisfies OperatorName[]

export function accept<Value>(value: Value): { ok: true; value: Value } {
  return { ok: true, value }
}

export function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}

/** Reads a text that must be canonical, by the way files are read. */
export function canonicalOnly<Value>(
  text: string,
  read: Read<Value>,
  toText: (value: Value) => string,
): Read<Value> {
  if (!read.ok) return read
  const canonical = toText(read.value)
  return canonical === text ? read : refuse(`must be written ${shorten(canonical)}`)
}

/** Reads an operand as a file's value would be read; the text itself where it is none. */
export function readEntered<Value>(text: string, read: Read<Value>): Value | string {
  return read.ok ? read.value : text
}

/** Without the spaces, tabs and line breaks around it. */
export function trimmed(text: string): string {
  return text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
}

/** Returns a text of at most 100 characters. */
export function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 99)}…` : text
}
