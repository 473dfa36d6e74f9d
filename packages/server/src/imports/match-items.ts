// Runs on the main thread.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { idMatches } from '@vitrine/contract/repo/correcting-rows'
import { listReplacements } from '../store/corrections.ts'
import {
  type KeyedRow,
  type KeyedState,
  prepareShortKeys,
  readKeyedBytes,
  readKeyedRows,
  shortDigits,
} from '../store/keyed-items.ts'
import { layOutFields } from '../store/items.ts'
import type { Lease } from '../store/leases.ts'
import type { Db } from '../store/store.ts'
import type { ImportContext } from './import-context.ts'
import { KeyTable, shortKey } from './key-table.ts'
import type { KeyedItem, KeyedItems } from './rows/match-rows.ts'

/** Items of one query at most: a read must not hold the event loop. */
const batchMax = 1000
/** Digests that are read together. */
const windowDigests = 20_000
/** Bytes of the texts of items that are in memory together, unless one has more. */
const bytesMax = 8 * 1024 ** 2

/**
 * Prepares to find the items of a state that rows are matched with: of the first keys, where all have too many bytes.
 * @param match fields whose values are those of the item, or `id` or `id.replaces` alone
 */
export function prepareMatch(
  context: Pick<ImportContext, 'store'>,
  state: KeyedState,
  { match, lease }: { match: readonly string[]; lease: Lease },
): (keys: readonly string[]) => Promise<KeyedItems> {
  const find =
    match[0] !== undefined && idMatches.includes(match[0])
      ? prepareFindById(context, state, { takesWithdrawals: match[0] === 'id.replaces' })
      : prepareFindByFields(context, state, { match, lease })
  return async (keys) => {
    const items = new Map<string, KeyedItem>()
    let bytes = 0
    let batch = batchMax
    while (items.size < keys.length && bytes < bytesMax) {
      const found = await find(keys.slice(items.size, items.size + batch))
      for (const [key, item] of found) {
        items.set(key, item)
        bytes += bytesOf(item)
      }
      batch = Math.min(found.length * 2, batchMax)
      await nextTurn()
    }
    return items
  }
}

function bytesOf(item: KeyedItem): number {
  if (item === 'none' || 'reason' in item) return 0
  return item.cells.reduce<number>((sum, cell) => sum + Buffer.byteLength(String(cell)), 0)
}

/** Finds the items of some keys, at least of the first one. */
type Find = (keys: readonly string[]) => Promise<(readonly [string, KeyedItem])[]>

function prepareFindById(
  { store: { reads } }: Pick<ImportContext, 'store'>,
  state: KeyedState,
  { takesWithdrawals }: { takesWithdrawals: boolean },
): Find {
  const { repo, at } = state
  const find: Find = async (keys) => {
    const values = keys.map(Number)
    if (await isLarge(reads, state, { by: 'id', values })) return find(firstHalf(keys))
    const rows = await readKeyedRows(reads, state, { by: 'id', values, fields: [] })
    const byId = new Map(rows.map((row) => [row.id, row]))
    const replaced = await listReplacements(reads, { repoId: repo.id, before: at }, values)
    const replacements = new Map(replaced.map((each) => [each.id, each]))
    return keys.map((key) => {
      const id = Number(key)
      const row = byId.get(id)
      const replacement = replacements.get(id)
      const withdraws = replacement?.latest === id
      const isTaken = replacement === undefined || (withdraws && takesWithdrawals)
      return [key, isTaken ? itemOf(row, { id, withdraws }) : { reason: explain(replacement) }]
    })
  }
  return find
}

/** Whether several items have more bytes than may be in memory together. */
async function isLarge(
  db: Db,
  state: KeyedState,
  wanted: Parameters<typeof readKeyedBytes>[2],
): Promise<boolean> {
  const { length } = wanted.values
  const fields = layOutFields(state.repo.schema)
  const most = fields.reduce((sum, field) => sum + field.bytesMax, 0) * length
  return length > 1 && most > bytesMax && (await readKeyedBytes(db, state, wanted)) > bytesMax
}

function firstHalf(keys: readonly string[]): readonly string[] {
  return keys.slice(0, keys.length >> 1)
}

function itemOf(
  row: KeyedRow | undefined,
  { id, withdraws }: { id: number; withdraws: boolean },
): KeyedItem {
  if (row === undefined) return { reason: `there is no item ${id}` }
  return { id, cells: row.cells, ...(withdraws && { withdraws }) }
}

function explain({ id, latest, withdraws }: { id: number; latest: number; withdraws: number }) {
  if (id === latest) return `item ${id} withdraws another one`
  return `item ${id} was ${withdraws === 1 ? 'withdrawn' : 'replaced'} by item ${latest}`
}

function prepareFindByFields(
  { store }: Pick<ImportContext, 'store'>,
  state: KeyedState,
  { match, lease }: { match: readonly string[]; lease: Lease },
): Find {
  let loading: Promise<KeyTable> | undefined
  const find: Find = async (keys) => {
    const table = await (loading ??= loadKeys({ store }, state, { match, lease }))
    const positions = new Map<string, number | 'several'>()
    for (const key of keys) {
      const position = table.get(shortKey(key))
      if (position !== undefined) positions.set(key, position)
    }
    const values = [...positions.values()].filter((position) => position !== 'several')
    const wanted = { by: 'position', values, fields: match } as const
    if (await isLarge(store.reads, state, wanted)) return find(firstHalf(keys))
    const rows = await readKeyedRows(store.reads, state, wanted)
    const byKey = new Map(rows.map((row) => [row.key, row]))
    return keys.map((key) => {
      if (positions.get(key) === 'several') return [key, { reason: explainSeveral(match) }]
      // The item at the position may have another key that begins alike.
      const row = byKey.get(key)
      return [key, row === undefined ? 'none' : { id: row.id, cells: row.cells }]
    })
  }
  return find
}

function explainSeveral(match: readonly string[]): string {
  return match.length === 1
    ? 'several items have it'
    : `several items have the same ${match.join(', ')}`
}

async function loadKeys(
  { store }: Pick<ImportContext, 'store'>,
  state: KeyedState,
  { match, lease }: { match: readonly string[]; lease: Lease },
): Promise<KeyTable> {
  const { at } = state
  const table = new KeyTable(at)
  const read = prepareShortKeys(store, state, match)
  const digits = shortDigits * match.length
  const windowItems = Math.ceil(windowDigests / match.length)
  for (let from = 0; from < at; from += windowItems) {
    lease.check()
    const [[joined] = [null]] = await read({ from, to: from + windowItems })
    const keys = typeof joined === 'string' ? joined : Buffer.from(joined ?? []).toString()
    for (const [index, key] of keys.split(',').entries()) {
      // Items that were added before the field was have no digest of it.
      if (key.length === digits) table.add(key, from + index)
    }
    await nextTurn()
  }
  return table
}
