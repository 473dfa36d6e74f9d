import type { ItemValue } from '../api/item.ts'
import { binary } from './binary.ts'
import { boolean } from './boolean.ts'
import { plainText } from './canonical-json.ts'
import { date } from './date.ts'
import { duration } from './duration.ts'
import { integer } from './integer.ts'
import { json } from './json.ts'
import { measured } from './measured.ts'
import { number } from './number.ts'
import { reference } from './reference.ts'
import { string } from './string.ts'
import { timestamp } from './timestamp.ts'
import type { ComparedType, TextForm, TypeDefinition } from './type-definition.ts'
import { url } from './url.ts'

/** Every value type. A new type is a new file and an entry here (docs/value-types.md). */
export const valueTypes = {
  string,
  integer,
  number,
  boolean,
  date,
  timestamp,
  duration,
  url,
  json,
  reference,
  binary,
} as const

export type FieldType = keyof typeof valueTypes

export const fieldTypes = Object.keys(valueTypes) as FieldType[]

/** Whether a type that a server names is one of ours. */
export function isFieldType(type: string): type is FieldType {
  return Object.hasOwn(valueTypes, type)
}

/** One field of a schema (docs/value-types.md). */
export type SchemaField = {
  [Type in FieldType]: (typeof valueTypes)[Type] extends TypeDefinition<infer Field, infer _Value>
    ? Field
    : never
}[FieldType]

/** Types that operators compare: of fields, of the ids and moments of rows, and of measures. */
export type ValueType = FieldType | keyof typeof measured

/** Measure of a value: the code points of a text; digest, media type or size of a binary. */
export type Measure = 'length' | 'sha256' | 'mime' | 'bytes'

/** Fields and their definitions go together, which the compiler does not see of a union. */
type AnyDefinition = TypeDefinition<SchemaField, ItemValue>

/** The definition of a field's type. */
export function typeOf(field: { type: FieldType }): AnyDefinition {
  return valueTypes[field.type] as unknown as AnyDefinition
}

/** How values of a field are written as text; undefined of what is bytes. */
export function textOf(field: { type: FieldType }): TextForm<SchemaField, ItemValue> | undefined {
  return typeOf(field).text
}

/** How values of a type are compared. */
export function comparedType(type: ValueType): ComparedType<SchemaField> {
  return type in measured
    ? measured[type as keyof typeof measured]
    : typeOf({ type: type as FieldType })
}

/** Names a value of a type in a sentence: `an integer`. */
export function describeType(type: ValueType): string {
  return comparedType(type).noun
}

/** The canonical text of a value of a field, which its digest is over. */
export function canonicalText(field: { type: FieldType }, value: ItemValue): string {
  return textOf(field)?.toText(value) ?? plainText(value)
}

/** The value of a field that is stored as a cell; a binary's cell is its value. */
export function valueOf(field: { type: FieldType }, cell: string | number): ItemValue {
  return textOf(field)?.fromCell(cell) ?? cell
}
