import type { SchemaField } from '@vitrine/contract'
import { limits } from '@vitrine/contract/limits'
import { quote, unknownName } from '@vitrine/contract/unknown-name'
import { columnNames, readColumn, type Column } from './column.ts'
import { countKeys, outlineJson } from '@vitrine/rows/json-outline'
import { parseJsonRow } from '@vitrine/rows/parse-json-row'
import { decodeBlock } from './decode-block.ts'
import { FlatObjects } from '../../../../rows/src/flat-objects.ts'
import {
  addProblem,
  type ParsedBlock,
  type RawRow,
  type RawValue,
  type VisitRow,
} from './raw-row.ts'

export type NdjsonFormat = {
  schema: readonly SchemaField[]
  columns: Readonly<Record<string, string | null>>
}

type Json = Record<string, unknown>

/** Reads the rows of a block of NDJSON, one object a line; empty lines are passed over. */
export function prepareNdjson({ schema, columns }: NdjsonFormat) {
  const known = new Map<string, Column | undefined>()
  const hasIntegrityField = schema.some(({ name }) => name === 'integrity')
  const columnOf = (key: string): Column | undefined => {
    if (known.has(key)) return known.get(key)
    const name = Object.hasOwn(columns, key) ? columns[key]! : key
    const column: Column | undefined =
      name === null ? { kind: 'ignored' } : readColumn(name, schema)
    // Whoever writes a file chooses its keys, so not all of them are kept.
    if (known.size < 10_000) known.set(key, column)
    return column
  }

  const rowAt = (line: number): RawRow => {
    return { line, values: Array<RawValue | undefined>(schema.length), problems: [] }
  }
  const say = (row: RawRow, key: string, column: Column | undefined, value: unknown): void => {
    if (value === null) return
    if (column === undefined && key === 'integrity' && !hasIntegrityField) {
      readIntegrity(row, value, schema)
    } else if (column === undefined) {
      addProblem(row, () => {
        const { reason } = unknownName([], 'field', key, columnNames(schema))
        return { field: key.slice(0, 64), reason }
      })
    } else if (column.kind !== 'ignored') {
      put(row, column, value, schema)
    }
  }
  const toRow = (object: Json, line: number): RawRow => {
    const row = rowAt(line)
    for (const key in object) say(row, key, columnOf(key), object[key])
    return row
  }
  const flat = new FlatObjects(columnOf, say)

  return (bytes: Uint8Array, visit: VisitRow): ParsedBlock => {
    const decoded = decodeBlock(bytes)
    const text = decoded.ok ? decoded.text : decoded.before
    let line = 0
    for (let from = 0; from < text.length; line += 1) {
      const end = text.indexOf('\n', from)
      const to = end === -1 ? text.length : end
      const flatRow = rowAt(line)
      const row = flat.read(flatRow, text, from, to)
        ? flatRow
        : readLine(text.slice(from, to), line, toRow)
      if (row !== undefined) visit(row)
      from = to + 1
    }
    if (decoded.ok) return { lines: line }
    return { lines: line, unreadable: { line, reason: 'is not valid UTF-8' } }
  }
}

function readLine(
  text: string,
  line: number,
  toRow: (object: Json, line: number) => RawRow,
): RawRow | undefined {
  const malformed = (reason: string): RawRow => {
    return { line, values: [], problems: [{ field: null, reason }], isMalformed: true }
  }
  const { depth, keys } = outlineJson(text)
  if (depth > limits.rowDepth) return malformed(`nests deeper than ${limits.rowDepth} levels`)
  let json: unknown
  try {
    json = parseJsonRow(text)
  } catch {
    return text.trim() === '' ? undefined : malformed('is not valid JSON')
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return malformed('is not a JSON object')
  }
  return countKeys(json) < keys ? malformed('has the same key twice') : toRow(json as Json, line)
}

function put(
  row: RawRow,
  column: Exclude<Column, { kind: 'ignored' }>,
  value: unknown,
  schema: readonly SchemaField[],
): void {
  const said = (row.values[column.field] ??= {})
  const field = schema[column.field]!
  // A value and a lookup say the same thing.
  const isThere =
    column.kind === 'value' || column.kind === 'lookup'
      ? said.value !== undefined || said.lookup !== undefined
      : said[column.kind] !== undefined
  if (isThere) {
    addProblem(row, () => ({ field: field.name, reason: 'is there twice' }))
    return
  }
  if (column.kind === 'lookup') {
    said.lookup = { by: column.by, value: String(value) }
  } else if (column.kind !== 'value') {
    said[column.kind] = String(value)
  } else if (field.type === 'reference' && typeof value === 'object') {
    const lookup = readLookup(value as Json)
    if (lookup === undefined) {
      const reason = 'must be an id, or {"lookup": {field of the target: value}}'
      addProblem(row, () => ({ field: field.name, reason }))
    } else {
      said.lookup = lookup
    }
  } else {
    said.value = value
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
  for (const [name, said] of Object.entries(value as Json)) {
    const field = schema.findIndex((each) => each.name === name)
    const sha256 = (said as { sha256?: unknown } | null)?.sha256
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
