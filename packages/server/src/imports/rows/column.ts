// Made on the main thread, read in checking threads.

import type { SchemaField } from '@vitrine/contract'

/** The purpose of a column in a file: something about the schema's n-th field, or nothing. */
export type Column =
  | { kind: 'value' | 'sha256' | 'mime' | 'seal'; field: number }
  /** Refers to the item of the target whose field `by` has the value. */
  | { kind: 'lookup'; field: number; by: string }
  | ItemColumn
  | { kind: 'ignored' }

/** Column that says with which item a row is matched, or what it does with that. */
export type ItemColumn = { kind: 'item'; about: 'id' | 'replaces' | 'withdraws' | 'reason' }

/** Columns by which rows say themselves which items they correct, with `match` by the first of them. */
const correctionColumns = new Map<string, ItemColumn>([
  ['id.replaces', { kind: 'item', about: 'replaces' }],
  ['id.withdraws', { kind: 'item', about: 'withdraws' }],
  ['id.reason', { kind: 'item', about: 'reason' }],
])

/** Column that says something about a field. */
export type FieldColumn = Extract<Column, { field: number }>

const ignored: Column = { kind: 'ignored' }

/** Exports have these, and an import gives its own. */
const givenByImport = ['id', 'createdAt']

/**
 * Reads the name of a column; undefined where it is about no field of the schema.
 * @param match what rows are matched by
 */
export function readColumn(
  name: string,
  schema: readonly SchemaField[],
  match: readonly string[] = [],
): Column | undefined {
  if (name === 'id' && match.includes('id')) return { kind: 'item', about: 'id' }
  if (match.includes('id.replaces') && correctionColumns.has(name)) {
    return correctionColumns.get(name)
  }
  if (givenByImport.includes(name)) return ignored
  const [fieldName, aspect, by, ...more] = name.split('.')
  const field = schema.findIndex((each) => each.name === fieldName)
  if (field === -1 || more.length > 0) return undefined
  const { type } = schema[field]!
  if (aspect === undefined) return { kind: 'value', field }
  if (aspect === 'lookup' && type === 'reference' && by) return { kind: 'lookup', field, by }
  if (by !== undefined) return undefined
  if (aspect === 'sha256') return { kind: 'sha256', field }
  if (aspect === 'seal' && type === 'reference') return { kind: 'seal', field }
  return aspect === 'mime' && type === 'binary' ? { kind: 'mime', field } : undefined
}

/** Returns the fields that columns have values for. */
export function fieldsOf(columns: readonly Column[]): Set<number> {
  return new Set(
    columns.flatMap((column) =>
      column.kind === 'value' || column.kind === 'lookup' ? [column.field] : [],
    ),
  )
}

/** The names that a column may have, to suggest the nearest one. */
export function columnNames(schema: readonly SchemaField[]): string[] {
  return schema.map(({ name }) => name)
}
