// Runs on the main thread.

import type { ImportFormat, SchemaField } from '@vitrine/contract'
import { unknownName } from '@vitrine/contract'
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
} & Reading

/** Options in canonical form: two imports with the same are begun alike. */
export function writeOptions(options: ImportOptions): string {
  const { format, mode, columns, guard } = options
  const sorted = Object.entries(columns).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const named = { format, mode, columns: Object.fromEntries(sorted), guard }
  return JSON.stringify({ ...named, ...pickReading(options) })
}

export function readOptions(options: string): ImportOptions {
  return JSON.parse(options) as ImportOptions
}

/**
 * Refuses to map columns to what a repository does not have.
 * @throws Failure FIELD_NOT_IN_SCHEMA
 */
export function requireColumns({ columns }: ImportOptions, schema: readonly SchemaField[]): void {
  const problems = Object.entries(columns).flatMap(([source, name]) =>
    name === null || readColumn(name, schema) !== undefined
      ? []
      : [unknownName(['columns', source], 'column', name, columnNames(schema))],
  )
  if (problems.length > 0) throw failAt('FIELD_NOT_IN_SCHEMA', problems)
}
