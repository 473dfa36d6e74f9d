// Runs on the main thread.

import type { ImportFormat, SchemaField } from '@vitrine/contract'
import { unknownName } from '@vitrine/contract'
import { idMatches } from '@vitrine/contract/repo/correcting-rows'
import { pickReading, type Reading } from '@vitrine/rows/reading'
import { failAt } from '../failure.ts'
import { columnNames, readColumn } from './rows/column.ts'

/** The options of an import; its key stands for them from then on. */
export type ImportOptions = {
  format: ImportFormat
  mode: 'all' | 'skip'
  /** By the name of a column in the file, the column of the import that it is, or null for none. */
  columns: Record<string, string | null>
  guard: boolean
  /** Fields by which rows are matched with the items that they replace, `id` or `id.replaces`; with the reason. */
  match?: readonly string[] | undefined
  reason?: string | undefined
  /** Whether it waits to be confirmed, once it is checked. */
  confirm?: boolean | undefined
} & Reading

/** Options in canonical form: two imports with the same are begun alike. */
export function writeOptions(options: ImportOptions): string {
  const { format, mode, columns, guard, match, reason, confirm } = options
  const sorted = Object.entries(columns).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const named = { format, mode, columns: Object.fromEntries(sorted), guard }
  const matching = { match, reason, ...(confirm === true && { confirm }) }
  return JSON.stringify({ ...named, ...pickReading(options), ...matching })
}

export function readOptions(options: string): ImportOptions {
  return JSON.parse(options) as ImportOptions
}

/**
 * Refuses to map columns to what a repository does not have, or to match by it.
 * @throws Failure FIELD_NOT_IN_SCHEMA
 */
export function requireColumns(
  { columns, match = [] }: ImportOptions,
  schema: readonly SchemaField[],
): void {
  const names = columnNames(schema)
  const problems = Object.entries(columns).flatMap(([source, name]) =>
    name === null || readColumn(name, schema, match) !== undefined
      ? []
      : [unknownName(['columns', source], 'column', name, names)],
  )
  for (const [index, name] of match.entries()) {
    if (idMatches.includes(name) || names.includes(name)) continue
    problems.push(unknownName(['match', index], 'field', name, names))
  }
  if (problems.length > 0) throw failAt('FIELD_NOT_IN_SCHEMA', problems)
}
