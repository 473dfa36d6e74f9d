import type { Item, SchemaField, SealedItem } from '@vitrine/contract'
import { sql } from 'kysely'
import {
  itemColumns,
  itemRow,
  storedField,
  sealedItemColumns,
  textBytes,
  toItem,
  toSealedItem,
  type ItemRow,
  type SealedItemRow,
} from '../store/item-rows.ts'
import type { DatasetVersion } from '../store/datasets.ts'
import { headOf, isBelow, itemTable, layOutFields } from '../store/items.ts'
import { LruCache } from '../runtime/lru-cache.ts'
import { membersTable } from '../store/listing-tables.ts'
import type { Expression } from '../store/expressions.ts'
import { isSuperseded } from '../store/superseded.ts'
import type { Prepare, Prepared } from '../store/prepare.ts'
import type { Shown } from '../language/shown-fields.ts'
import { mayExceedPage, requirePageBytes } from './page-bytes.ts'

type Range = { from: number; to: number }
/** With the state whose items are read, where these are current ones. */
type RangeAt = Range & { at: number }

/** Reads items by their places in a plain sequence. */
export type PlainReads = {
  /**
   * Reads the items of a range, or `count` current ones of a state.
   * @throws Failure PAGE_TOO_LARGE
   */
  range: (range: Range, current?: { at: number; count: number }) => Promise<Item[]>
  /** When the item at a position was committed, in milliseconds. */
  createdAt: (at: { position: number }) => Promise<number | undefined>
  /** At which position an item stands, before `to`. */
  position: (sought: { itemId: number; to: number }) => Promise<number | undefined>
  /** The ids of the items at positions. */
  ids: (range: Range) => Promise<{ id: number; position: number }[]>
  /** An item that stands before `to`. */
  get: (sought: { itemId: number; to: number }) => Promise<SealedItem | undefined>
}

/** Beyond every position. */
export const everywhere = Number.MAX_SAFE_INTEGER

/** Prepares to read the items of a repository as they were committed. */
export function prepareRepoReads(
  prepare: Prepare,
  { id, schema }: { id: number; schema: readonly SchemaField[] },
): PlainReads {
  const fields = layOutFields(schema).map((field) => storedField(field, itemRow))
  return preparePlainReads(prepare, { repoId: id, listingId: undefined }, { fields, joins: sql`` })
}

/**
 * Prepares to read by position in the repository, or in a listing of members; where a `version` is given,
 * nothing is found once the repository is of another one, and nothing at or beyond `before` in it.
 */
export function preparePlainReads(
  prepare: Prepare,
  {
    repoId,
    listingId,
    version,
    before = Infinity,
  }: {
    repoId: number
    listingId: number | undefined
    version?: DatasetVersion | undefined
    before?: number
  },
  { fields, joins }: Shown,
): PlainReads {
  const items = sql`${itemTable(repoId)} as r`
  const [from, position] =
    listingId === undefined
      ? [items, itemRow('position')]
      : [
          sql`${membersTable(listingId)} as m join ${items} on ${itemRow('position')} = m.root`,
          sql.ref('m.position'),
        ]
  const isCommitted = isBelow(itemRow('position'), headOf(repoId, version))
  const committed =
    before === Infinity ? isCommitted : sql`${isCommitted} and ${itemRow('position')} < ${before}`
  // By the number PostgreSQL sees how little it is, wherever it stands: without it, it would rather read
  // all of what is joined, and plan each page anew.
  const isIn = (slot: (name: keyof RangeAt) => Expression, isCurrent: boolean) => {
    const inRange = sql`${position} >= ${slot('from')} and ${position} < ${slot('to')}`
    return isCurrent
      ? sql`${inRange} and not ${isSuperseded(repoId, itemRow('position'), slot('at'))}`
      : inRange
  }
  const prepareRange = (rows: number, isCurrent: boolean) =>
    prepare<RangeAt, ItemRow>(
      (slot) => sql`
        select ${itemColumns(fields)} from ${from} ${joins}
        where ${isIn(slot, isCurrent)} and ${committed}
        order by ${position} limit ${sql.lit(rows)}`,
    )
  const ranges = new LruCache<string, Prepared<RangeAt, ItemRow>>(8)
  const prepareBytes = (isCurrent: boolean) =>
    prepare<RangeAt, [bytes: number]>(
      (slot) => sql`
        select coalesce(sum(${textBytes(fields)}), 0) from ${from} ${joins}
        where ${isIn(slot, isCurrent)} and ${committed}`,
    )
  const [selectBytes, selectCurrentBytes] = [prepareBytes(false), prepareBytes(true)]
  const selectMoment = prepare<{ position: number }, [createdAt: number]>(
    (slot) => sql`
      select ${itemRow('created_at')} as created_at from ${from}
      where ${position} = ${slot('position')} and ${committed}`,
  )
  const selectPosition = prepare<{ itemId: number; to: number }, [position: number]>(
    (slot) => sql`
      select ${position} as position from ${from}
      where ${itemRow('id')} = ${slot('itemId')} and ${position} < ${slot('to')} and ${committed}`,
  )
  const selectIds = prepare<Range, [id: number, position: number]>(
    (slot) => sql`
      select ${itemRow('id')} as id, ${position} as position from ${from}
      where ${position} >= ${slot('from')} and ${position} < ${slot('to')} and ${committed}`,
  )
  const selectItem = prepare<{ itemId: number; to: number }, SealedItemRow>(
    (slot) => sql`
      select ${sealedItemColumns(fields)} from ${from} ${joins}
      where ${itemRow('id')} = ${slot('itemId')} and ${position} < ${slot('to')} and ${committed}`,
  )
  return {
    range: async ({ from: first, to }, current) => {
      const range = { from: first, to, at: current?.at ?? 0 }
      const isCurrent = current !== undefined
      const count = current?.count ?? Math.max(0, to - first)
      if (mayExceedPage(fields, count)) {
        const select = isCurrent ? selectCurrentBytes : selectBytes
        requirePageBytes((await select(range))[0]![0])
      }
      const key = `${count} ${isCurrent}`
      const rows = await ranges.get(key, () => prepareRange(count, isCurrent))(range)
      return rows.map((row) => toItem(row, fields))
    },
    createdAt: async (at) => (await selectMoment(at))[0]?.[0],
    position: async (sought) => (await selectPosition(sought))[0]?.[0],
    ids: async (range) => (await selectIds(range)).map(([id, position]) => ({ id, position })),
    get: async (sought) => {
      const [row] = await selectItem(sought)
      return row && toSealedItem(row, fields)
    },
  }
}

/**
 * Reads the items at some positions of a repository, in the order of these.
 * @throws Failure PAGE_TOO_LARGE
 */
export async function readItemsAt(
  prepare: Prepare,
  { repoId, shown: { fields, joins } }: { repoId: number; shown: Shown },
  positions: readonly number[],
): Promise<Item[]> {
  if (positions.length === 0) return []
  const from = sql`
    from ${itemTable(repoId)} as r ${joins} where ${itemRow('position')} in (${sql.join(positions)})`
  if (mayExceedPage(fields, positions.length)) {
    const selectBytes = prepare<object, [bytes: number]>(
      () => sql`select coalesce(sum(${textBytes(fields)}), 0) ${from}`,
    )
    requirePageBytes((await selectBytes({}))[0]![0])
  }
  const select = prepare<object, [position: number, ...ItemRow]>(
    () => sql`select ${itemRow('position')} as position, ${itemColumns(fields)} ${from}`,
  )
  const rows = await select({})
  const byPosition = new Map(rows.map(([position, ...row]) => [position, toItem(row, fields)]))
  return positions.flatMap((position) => byPosition.get(position) ?? [])
}
