import type { Item, ItemNeighbours, SealedItem } from '@vitrine/contract'
import { sql } from 'kysely'
import {
  itemColumns,
  itemRow,
  sealedItemColumns,
  textBytes,
  toItem,
  toSealedItem,
  type ItemRow,
  type SealedItemRow,
} from '../store/item-rows.ts'
import { itemTable } from '../store/items.ts'
import { keysTable, orderTable } from '../store/listing-tables.ts'
import { isSuperseded } from '../store/superseded.ts'
import type { Expression } from '../store/expressions.ts'
import type { Prepare } from '../store/prepare.ts'
import type { Shown } from '../language/shown-fields.ts'
import { mayExceedPage, requirePageBytes } from './page-bytes.ts'
import type { OrderCursor } from '../listings/order-cursor.ts'
import { neighbours } from './read-result.ts'

/** State whose items are read, where these are current ones. */
type At = { at: number }

type Part = At & { offset: number; count: number }
type Run = Part & { firstKey: Uint8Array }

/** Reads items by a listing in order. */
export type OrderedReads = {
  /** Reads so many items from an offset after a key; undefined when that version of the order is gone. */
  run: (run: Run & { version: number }) => Promise<Item[] | undefined>
  /** Reads the items found so far, in commit order, while they are not sorted yet. */
  unsorted: (part: Part) => Promise<Item[]>
  /** When the newest item was committed, in milliseconds. */
  newest: (current: At) => Promise<number | undefined>
  /** Returns when the newest item up to a key was committed; looks at all of them. */
  newestUpTo: (upTo: At & { bound: Uint8Array }) => Promise<number | undefined>
  /** The ids of the items before and after a key, up to a bound; undefined when that version of the order is gone. */
  beside: (
    place: At & { key: Uint8Array; version: number } & Pick<OrderCursor, 'bound'>,
  ) => Promise<ItemNeighbours | undefined>
  /** An item with its sort key. */
  get: (
    sought: At & { itemId: number },
  ) => Promise<{ item: SealedItem; key: Uint8Array } | undefined>
}

/** Items of an order in the making that can be read; sorting them takes a few milliseconds. */
const unsortedMax = 20_000

/** The columns read beside an item come before it. */
type Beside<T, Row extends readonly unknown[]> = [T, ...Row]

export function prepareOrderedReads(
  prepare: Prepare,
  { repoId, listingId, isCurrent }: { repoId: number; listingId: number; isCurrent: boolean },
  { fields, joins }: Shown,
): OrderedReads {
  const items = sql`join ${itemTable(repoId)} as r on ${itemRow('position')} = m.root`
  // A listing that was replaced is emptied while it may still be read.
  const version = sql`(select version from listings where id = ${listingId} and state = 'current')`
  const holds = (slot: (name: 'at') => Expression) =>
    isCurrent ? sql`and not ${isSuperseded(repoId, sql.ref('root'), slot('at'))}` : sql``
  const run = (slot: (name: keyof Run) => Expression) => sql`
    from (
      select key, root from ${orderTable(listingId)}
      where key >= ${slot('firstKey')} ${holds(slot)}
      order by key limit ${slot('count')} offset ${slot('offset')}
    ) as m ${items} ${joins}`
  const selectRun = prepare<Run, Beside<number, ItemRow>>(
    (slot) => sql`
      select ${version} as version, ${itemColumns(fields)} ${run(slot)} order by m.key`,
  )
  const unsorted = (slot: (name: keyof Part) => Expression) => sql`
    from (
      select key, root from (
        select key, root from ${keysTable(listingId)}
        where true ${holds(slot)} order by root limit ${sql.lit(unsortedMax)}
      ) as found order by key limit ${slot('count')} offset ${slot('offset')}
    ) as m ${items} ${joins}`
  const selectUnsorted = prepare<Part, ItemRow>(
    (slot) => sql`select ${itemColumns(fields)} ${unsorted(slot)} order by m.key`,
  )
  const bytes = sql`coalesce(sum(${textBytes(fields)}), 0)`
  const selectRunBytes = prepare<Run, [bytes: number]>((slot) => sql`select ${bytes} ${run(slot)}`)
  const selectUnsortedBytes = prepare<Part, [bytes: number]>(
    (slot) => sql`select ${bytes} ${unsorted(slot)}`,
  )
  const selectItem = prepare<{ itemId: number; at: number }, Beside<Uint8Array, SealedItemRow>>(
    (slot) => sql`
      select m.key as key, ${sealedItemColumns(fields)}
      from ${keysTable(listingId)} as m ${items} ${joins}
      where ${itemRow('id')} = ${slot('itemId')} ${holds(slot)}`,
  )
  const idOf = (root: Expression) => sql`
    (select ${itemRow('id')} from ${itemTable(repoId)} as r where ${itemRow('position')} = (${root}))`
  const selectBeside = prepare<
    { key: Uint8Array; at: number },
    [version: number, previous: number | null, next: number | null, nextKey: Uint8Array | null]
  >((slot) => {
    const order = orderTable(listingId)
    const before = sql`
      from ${order} where key < ${slot('key')} ${holds(slot)} order by key desc limit 1`
    const after = sql`from ${order} where key > ${slot('key')} ${holds(slot)} order by key limit 1`
    return sql`
      select ${version} as version, ${idOf(sql`select root ${before}`)} as previous,
      ${idOf(sql`select root ${after}`)} as next, (select key ${after}) as next_key`
  })
  const momentOf = (root: Expression) => sql`
    select ${itemRow('created_at')} as created_at from ${itemTable(repoId)} as r
    where ${itemRow('position')} = (${root})`
  const selectNewest = prepare<{ at: number }, [createdAt: number]>((slot) =>
    momentOf(sql`
      select root from ${keysTable(listingId)} where true ${holds(slot)} order by root desc limit 1`),
  )
  const selectNewestUpTo = prepare<{ bound: Uint8Array; at: number }, [createdAt: number]>((slot) =>
    momentOf(sql`
      select max(root) from ${orderTable(listingId)}
      where key <= ${slot('bound')} ${holds(slot)}`),
  )
  return {
    newest: async (current) => (await selectNewest(current))[0]?.[0],
    newestUpTo: async (upTo) => (await selectNewestUpTo(upTo))[0]?.[0],
    run: async ({ version: expected, ...range }) => {
      if (mayExceedPage(fields, range.count)) {
        requirePageBytes((await selectRunBytes(range))[0]![0])
      }
      const rows = await selectRun(range)
      if (rows[0]?.[0] !== expected) return undefined
      return rows.map(([, ...row]) => toItem(row, fields))
    },
    unsorted: async (part) => {
      if (mayExceedPage(fields, part.count)) {
        requirePageBytes((await selectUnsortedBytes(part))[0]![0])
      }
      const rows = await selectUnsorted(part)
      return rows.map((row) => toItem(row, fields))
    },
    beside: async ({ key, at, version: expected, bound }) => {
      const [row] = await selectBeside({ key, at })
      if (row?.[0] !== expected) return undefined
      const [, previous, next, nextKey] = row
      const isOut = bound !== undefined && nextKey !== null && Buffer.compare(nextKey, bound) > 0
      return neighbours(previous ?? undefined, isOut ? undefined : (next ?? undefined))
    },
    get: async (sought) => {
      const [selected] = await selectItem(sought)
      if (selected === undefined) return undefined
      const [key, ...row] = selected
      return { item: toSealedItem(row, fields), key }
    },
  }
}
