import type { NewValue } from '@vitrine/client'
import type { ShownField } from '@vitrine/contract'
import { capitalized, isEmpty, type Entry } from '../../values/entry.ts'
import { newValue } from '../../values/read-entry.ts'

export type Entries = Readonly<Record<string, Entry>>

/**
 * Makes the values to send from checked entries: a string exactly as typed, other types as their
 * canonical text; empty ones are left out.
 */
export function newValues(
  schema: readonly ShownField[],
  entries: Entries,
): Record<string, NewValue> {
  return Object.fromEntries(
    schema.flatMap((field) => {
      const entry = entries[field.name]
      if (isEmpty(entry)) return []
      return [[field.name, newValue(field, entry)]]
    }),
  )
}

/** Makes the values of a correction from entries: null of a field that has none any more. */
export function changedValues(
  changed: readonly ShownField[],
  entries: Entries,
): Record<string, NewValue | null> {
  const none = Object.fromEntries(changed.map(({ name }) => [name, null]))
  return { ...none, ...newValues(changed, entries) }
}

/** The fields at which the server found something wrong, each with its reason. */
export function problemsByField(
  schema: readonly ShownField[],
  problems: readonly { path: readonly (string | number)[]; reason: string }[],
): Record<string, string> {
  return Object.fromEntries(
    problems.flatMap(({ path, reason }) => {
      // A commit's problems stand below `integrity`, an upload's at the field itself.
      const place = path[0] === 'integrity' && path.length > 1 ? path[1] : path[0]
      const field = schema.find(({ name }) => name === place)
      return field === undefined ? [] : [[field.name, capitalized(reason)]]
    }),
  )
}
