import type { ItemValue } from '../api/item.ts'
import { limits } from '../limits.ts'
import { plainText } from '../values/canonical-json.ts'
import { type FieldType, type SchemaField, canonicalText, textOf } from '../values/index.ts'

/** Types that a view casts to. */
export const castTypes = [
  'string',
  'integer',
  'number',
  'boolean',
  'date',
  'timestamp',
  'duration',
  'json',
] as const satisfies FieldType[]
export type CastType = (typeof castTypes)[number]

/** The widest field of each type: what cells are read as. */
export const castFields = Object.fromEntries(
  castTypes.map((type) => [type, { name: type, type, length: limits.stringLength }]),
) as unknown as Record<CastType, SchemaField>

const ofText = ['integer', 'number', 'boolean', 'date', 'timestamp', 'duration'] as const

/** Casts of views besides those to string, which every value with a text has. */
const casts: { [Type in FieldType]?: readonly CastType[] } = {
  string: [...ofText, 'json'],
  integer: ['number', 'boolean'],
  number: ['integer'],
  date: ['timestamp'],
  timestamp: ['date'],
  json: ofText,
  reference: ['integer'],
}

/** The types that values of a type can be cast to; of strings also to choices, which are strings. */
export function castsOf(type: FieldType): CastType[] {
  if (textOf({ type }) === undefined) return []
  const others = casts[type] ?? []
  return castTypes.filter((each) => others.includes(each) || (each === 'string' && type !== each))
}

/** The field that a view shows where it casts; it may be missing, as not every text can be read. */
export function castField(
  name: string,
  from: SchemaField,
  { as, choices }: { as: CastType; choices?: readonly string[] | undefined },
): SchemaField {
  const optional = { optional: true }
  if (as !== 'string') return { name, type: as, ...optional }
  if (choices !== undefined) {
    const length = Math.max(1, ...choices.map((each) => Array.from(each).length))
    return { name, type: as, length, choices: [...choices], ...optional }
  }
  const length = Math.min(limits.stringLength, textOf(from)!.maxBytes(from))
  return { name, type: as, length, ...optional }
}

/**
 * Reads the text of a value as a file's would be read (docs/value-types.md); undefined where it cannot.
 * The SQL of the engines does the same (`castText` in the server's store/expressions.ts).
 */
export function castValue(
  from: FieldType,
  to: SchemaField,
  value: ItemValue,
): ItemValue | undefined {
  return readCast(to, castSource(from, to.type, value))
}

/** The text that is read: of JSON text without its quotes, of a moment its day where a day is read. */
function castSource(from: FieldType, to: FieldType, value: ItemValue): string {
  if (from === 'json') return plainText(value)
  const text = canonicalText({ type: from }, value)
  return from === 'timestamp' && to === 'date' ? text.slice(0, 'yyyy-mm-dd'.length) : text
}

/** Reads a text as a value of a field; undefined where it is none. */
export function readCast(to: SchemaField, text: string): ItemValue | undefined {
  const { fromFile, fromText, maxBytes } = textOf(to)!
  if (new TextEncoder().encode(text).length > maxBytes(to)) return undefined
  // PostgreSQL, which reads the same, has no text with NUL.
  if (to.type === 'json' && escapedNul.test(text)) return undefined
  // A choice is one by its very text: the engines compare no others.
  const read = to.type === 'string' ? fromText(text, to) : fromFile(text, to)
  return read.ok ? read.value : undefined
}

const escapedNul = /(?:^|[^\\])(?:\\\\)*\\u0000/
