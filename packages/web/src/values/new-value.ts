import type { NewValue } from '@vitrine/client'
import type { ShownField } from '@vitrine/contract'
import { readEntry } from './read-entry.ts'

/** Returns the value to send for a valid entry. */
export function newValue(field: ShownField, entry: string | File): NewValue {
  if (entry instanceof File) return entry
  if (field.type === 'reference') return Number(entry)
  const read = readEntry(field, entry)
  return read.ok ? read.value : entry
}
