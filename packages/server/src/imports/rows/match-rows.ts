// Runs in a checking thread.

import type { SchemaField } from '@vitrine/contract'
import { noId, readId } from '@vitrine/contract/repo/names'
import { invalidReason } from '@vitrine/contract/repo/correcting-rows'
import { textOf, valueOf } from '@vitrine/contract/values/index'
import { scalarText } from '@vitrine/rows/scalar-text'
import type { RowCorrection } from '../../store/import-items.ts'
import {
  type Value,
  bytesOf,
  digestOf,
  isRefused,
  prepareCheck,
  sealedCell,
} from './check-value.ts'
import type { LookupResults } from './lookups.ts'
import type { RawRow, RawValue } from './raw-row.ts'

/** Item with a key, by its cells in the order of the item table's columns; or why none is taken. */
export type KeyedItem =
  | {
      id: number
      cells: readonly (string | number | null)[]
      /** Whether it withdraws another one. */
      withdraws?: boolean
    }
  | 'none'
  | { reason: string }

/** Items by the keys of rows: an id, or the digests of the fields that are matched, in hexadecimal, one after the other. */
export type KeyedItems = ReadonlyMap<string, KeyedItem>

/** Item that a row is matched with. */
export type MatchedItem = {
  /** Values of its fields. */
  values: readonly (Value | undefined)[]
  /** Whether a row with the same values changes something too, as it withdraws the item, or brings one back. */
  isChange: boolean
  correction: RowCorrection
}

/** Item that a row is matched with; or why the row is refused. */
export type Match = MatchedItem | 'none' | { field: string | null; reason: string }

/** Matching of rows with the items that they are to replace. */
export type RowMatching = {
  /** Returns the key of a row; undefined of a row that is a new item, or is refused. */
  keyOf: (row: RawRow, results: LookupResults) => string | undefined
  find: (row: RawRow, results: LookupResults) => Match
  /** Whether a row has a value for a field, or says that there is none. */
  covers: (raw: RawValue | undefined, index: number) => boolean
}

/**
 * Prepares to match rows.
 * @param match fields whose values are those of the item, or `id` or `id.replaces` alone
 * @param columnFields fields that the file has columns for; undefined where each row says what it has
 */
export function prepareMatching(
  schema: readonly SchemaField[],
  match: readonly string[],
  columnFields: ReadonlySet<number> | undefined,
): RowMatching {
  const readKey = prepareKey(schema, match)
  const field = match.length === 1 && match[0] !== 'id' ? match[0]! : null
  return {
    keyOf: (row, results) => {
      const key = row.isMalformed === true ? undefined : readKey(row, results)
      return typeof key === 'string' ? key : undefined
    },
    find: (row, results) => {
      const key = readKey(row, results)
      if (key === undefined) return 'none'
      if (typeof key === 'object') return key
      const item = results.matches.get(key) ?? 'none'
      if (item === 'none') return 'none'
      const { withdraws, reason } = row.item ?? {}
      const isWithdrawn = cellText(withdraws) !== undefined
      if ('reason' in item) {
        return { field: isWithdrawn ? 'id.withdraws' : field, reason: item.reason }
      }
      return {
        values: valuesOf(schema, item.cells),
        isChange: isWithdrawn || item.withdraws === true,
        correction: { replaces: item.id, withdraws: isWithdrawn, reason: cellText(reason) },
      }
    },
    covers: (raw, index) => raw !== undefined || columnFields?.has(index) === true,
  }
}

type Key = string | undefined | { field: string | null; reason: string }

function prepareKey(schema: readonly SchemaField[], match: readonly string[]) {
  switch (match[0]) {
    case 'id':
      return ({ item }: RawRow) => readItemId('id', item?.id)
    case 'id.replaces':
      return readCorrected
    default:
      return prepareFieldKey(schema, match)
  }
}

function readItemId(field: string, value: unknown): Key {
  const text = cellText(value)
  if (text === undefined) return undefined
  const number = readId(text)
  return number === undefined ? { field, reason: noId } : String(number)
}

/** Text of what is not empty. */
function cellText(value: unknown): string | undefined {
  const text = scalarText(value) ?? ''
  return text.trim() === '' ? undefined : text
}

/** Reads which item a row replaces or withdraws, and whether its reason can be one. */
function readCorrected({ item = {} }: RawRow): Key {
  const replaced = readItemId('id.replaces', item.replaces)
  const withdrawn = readItemId('id.withdraws', item.withdraws)
  if (replaced !== undefined && withdrawn !== undefined) {
    return { field: 'id.withdraws', reason: 'goes without id.replaces' }
  }
  const reason = cellText(item.reason)
  const key = replaced ?? withdrawn
  if (reason === undefined) return key
  if (key === undefined) {
    return { field: 'id.reason', reason: 'goes with id.replaces or id.withdraws' }
  }
  const problem = invalidReason(reason)
  return problem === undefined ? key : { field: 'id.reason', reason: problem }
}

function prepareFieldKey(schema: readonly SchemaField[], match: readonly string[]) {
  const fields = match.map((name) => {
    const index = schema.findIndex((field) => field.name === name)
    const field = schema[index]!
    const check = prepareCheck(field)
    const digest = (raw: RawValue, results: LookupResults) => {
      // Their media type is that of the item.
      if (field.type === 'binary') return bytesOf(raw, results.binaries)?.sha256
      const value = check(raw, results, index)
      return value === undefined || isRefused(value) ? undefined : digestOf(value)
    }
    return { name, index, digest }
  })
  return (row: RawRow, results: LookupResults): Key => {
    let key = ''
    for (const { name, index, digest } of fields) {
      const raw = row.values[index]
      const part = raw && digest(raw, results)
      if (part !== undefined) key += part
      // The check of the row says what is wrong with its value.
      else if (raw?.value !== undefined || raw?.lookup !== undefined) return undefined
      else return { field: name, reason: 'is needed to find the item' }
    }
    return key
  }
}

function valuesOf(
  schema: readonly SchemaField[],
  cells: readonly (string | number | null)[],
): (Value | undefined)[] {
  let at = 0
  return schema.map((field) => {
    const cell = cells[at]!
    const text = textOf(field)
    if (text === undefined) {
      const [mime, size] = [cells[at + 1], cells[at + 2]]
      at += 3
      if (cell === null) return undefined
      return { sha256: String(cell), mime: String(mime), size: Number(size) }
    }
    at += 1
    return cell === null ? undefined : sealedCell(cell, text.toText(valueOf(field, cell)))
  })
}
