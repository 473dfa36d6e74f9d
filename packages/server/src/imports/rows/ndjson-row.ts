// Runs in a checking thread.

import type { SchemaField } from '@vitrine/contract'
import { quote, unknownName } from '@vitrine/contract/problems'
import { textOf } from '@vitrine/contract/values/index'
import type { MemberReader } from '@vitrine/rows/text/read-ndjson'
import { columnNames, readColumn, type Column, type FieldColumn } from './column.ts'
import { addProblem, type RawRow, type RawValue } from './raw-row.ts'

export type NdjsonFormat = {
  schema: readonly SchemaField[]
  columns: Readonly<Record<string, string | null>>
  match?: readonly string[] | undefined
}

type Json = Record<string, unknown>

/** Prepares to make rows of objects, whose keys say what their values are. */
export function ndjsonRows({
  schema,
  columns,
  match,
}: NdjsonFormat): MemberReader<RawRow, Column | undefined> {
  const columnsByKey = new Map<string, Column | undefined>()
  const hasIntegrityField = schema.some(({ name }) => name === 'integrity')
  const isJson = (column: Column | undefined) =>
    column?.kind === 'value' && textOf(schema[column.field]!)?.fromJson !== undefined
  return {
    aboutKey: (key) => {
      if (columnsByKey.has(key)) return columnsByKey.get(key)
      const name = Object.hasOwn(columns, key) ? columns[key]! : key
      const column: Column | undefined =
        name === null ? { kind: 'ignored' } : readColumn(name, schema, match)
      // The author of a file chooses its keys, so not all of them are kept.
      if (columnsByKey.size < 10_000) columnsByKey.set(key, column)
      return column
    },
    begin: (line) => ({ line, values: Array<RawValue | undefined>(schema.length), problems: [] }),
    add: (row, key, column, value) => {
      if (value === null) {
        // It says that there is no value, where a row may leave out what stays.
        if (column?.kind === 'value' || column?.kind === 'lookup') row.values[column.field] ??= {}
        return
      }
      if (column?.kind === 'item') (row.item ??= {})[column.about] = value
      else if (column === undefined && key === 'integrity' && !hasIntegrityField) {
        readIntegrity(row, value, schema)
      } else if (column === undefined) {
        addProblem(row, () => {
          const { reason } = unknownName([], 'field', key, columnNames(schema))
          return { field: key.slice(0, 64), reason }
        })
      } else if (column.kind !== 'ignored') {
        put(row, column, value, schema)
      }
    },
    ...(schema.some((field) => textOf(field)?.fromJson !== undefined) && { isJson }),
  }
}

function put(
  row: RawRow,
  column: FieldColumn,
  value: unknown,
  schema: readonly SchemaField[],
): void {
  const raw = (row.values[column.field] ??= {})
  const field = schema[column.field]!
  // A value and a lookup say the same thing.
  const isThere =
    column.kind === 'value' || column.kind === 'lookup'
      ? raw.value !== undefined || raw.lookup !== undefined
      : raw[column.kind] !== undefined
  if (isThere) {
    addProblem(row, () => ({ field: field.name, reason: 'is there twice' }))
    return
  }
  if (column.kind === 'lookup') {
    raw.lookup = { by: column.by, value: String(value) }
  } else if (column.kind !== 'value') {
    raw[column.kind] = String(value)
  } else if (field.type === 'reference' && typeof value === 'object') {
    const lookup = readLookup(value as Json)
    if (lookup === undefined) {
      const reason = 'must be an id, or {"lookup": {field of the target: value}}'
      addProblem(row, () => ({ field: field.name, reason }))
    } else {
      raw.lookup = lookup
    }
  } else {
    raw.value = value
    if (textOf(field)?.fromJson !== undefined) raw.isJson = true
  }
}

function readLookup(value: Json): RawValue['lookup'] | undefined {
  const { lookup, ...others } = value
  if (typeof lookup !== 'object' || lookup === null || Object.keys(others).length > 0) return
  const [entry, ...more] = Object.entries(lookup)
  if (entry === undefined || more.length > 0 || typeof entry[1] === 'object') return
  return { by: entry[0], value: String(entry[1]) }
}

function readIntegrity(row: RawRow, value: unknown, schema: readonly SchemaField[]): void {
  if (typeof value !== 'object') {
    const reason = 'must be a mapping of digests by field'
    addProblem(row, () => ({ field: 'integrity', reason }))
    return
  }
  for (const [name, digest] of Object.entries(value as Json)) {
    const field = schema.findIndex((each) => each.name === name)
    const sha256 = (digest as { sha256?: unknown } | null)?.sha256
    if (field === -1 || typeof sha256 !== 'string') {
      addProblem(row, () => {
        return { field: 'integrity', reason: `has no digest of a field for ${quote(name)}` }
      })
    } else {
      const raw = (row.values[field] ??= {})
      raw.sha256 = sha256
    }
  }
}
