import type { NewValue } from '@vitrine/client'
import type { ShownField } from '@vitrine/contract'
import { isEmpty, type Entry } from '../../values/entry.ts'

export type Entries = Readonly<Record<string, Entry>>

/** What is sent for entries that were checked: text exactly as typed; what is empty is left out. */
export function newValues(
  schema: readonly ShownField[],
  entries: Entries,
): Record<string, NewValue> {
  return Object.fromEntries(
    schema.flatMap(({ name, type }) => {
      const entry = entries[name]
      if (isEmpty(entry)) return []
      return [[name, type === 'reference' ? Number(entry) : entry]]
    }),
  )
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

function capitalized(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1)
}
