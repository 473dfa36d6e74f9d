import {
  type FieldType,
  type Read,
  type SchemaField,
  type ShownField,
  fieldTypes,
  textOf,
} from '@vitrine/contract'
import type { NewValue } from '@vitrine/client'

/** Reads typed text in the spellings that imports accept, and returns the canonical text to send. */
export function readEntry(field: ShownField, typed: string): Read<string> {
  if (!isKnown(field) || typed === '') return { ok: true, value: typed }
  const form = textOf(field)
  if (form === undefined) return { ok: true, value: typed }
  const read = form.fromFile(typed, field)
  return read.ok ? { ok: true, value: form.toText(read.value) } : read
}

/** Whether the type is one of ours; then the field has the keys of that type. */
export function isKnown(field: ShownField): field is ShownField & SchemaField {
  return fieldTypes.includes(field.type as FieldType)
}

/** Returns the value to send for a valid entry. */
export function newValue(field: ShownField, entry: string | File): NewValue {
  if (entry instanceof File) return entry
  if (field.type === 'reference') return Number(entry)
  const read = readEntry(field, entry)
  return read.ok ? read.value : entry
}
