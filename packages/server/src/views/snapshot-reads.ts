import { sql } from 'kysely'
import { itemRow, snapshotColumns, type Cell } from '../store/item-rows.ts'
import { itemTable } from '../store/items.ts'
import { membersTable, orderTable } from '../store/listing-tables.ts'
import type { Store } from '../store/store.ts'
import type { Shown } from './shown-fields.ts'
import { readInWindows, type Snapshot, type SnapshotOptions } from './snapshot.ts'

type Source = { repoId: number; listingId: number | undefined; count: number }

/** A plain sequence up to a number of items: it only grows at its end. */
export function plainSnapshot(
  { prepare }: Store,
  { repoId, listingId, count }: Source,
  { fields, joins }: Shown,
  options: SnapshotOptions,
): Snapshot {
  const items = sql`${itemTable(repoId)} as r`
  const [source, position] =
    listingId === undefined
      ? [items, itemRow('position')]
      : [
          sql`${membersTable(listingId)} as m join ${items} on ${itemRow('position')} = m.root`,
          sql.ref('m.position'),
        ]
  const select = prepare<{ from: number; to: number }, Cell[]>(
    (slot) => sql`
      select ${snapshotColumns(fields, options)} from ${source} ${joins}
      where ${position} >= ${slot('from')} and ${position} < ${slot('to')} order by ${position}`,
  )
  const { from } = options
  return { count, fields, read: (to) => readInWindows({ from, to }, select) }
}

/**
 * A listing in order as it was: items that came later stand beyond `head` in the repository, wherever
 * they stand in the order.
 */
export function orderedSnapshot(
  { prepare }: Store,
  source: Source & {
    listingId: number
    head: number
    bound: Uint8Array | undefined
    /** The key after which the first item to be read stands. */
    keyBefore: Uint8Array
  },
  { fields, joins }: Shown,
  options: SnapshotOptions,
): Snapshot {
  const { repoId, listingId, head, bound = null, count, keyBefore } = source
  const select = prepare<{ after: Uint8Array; limit: number }, [key: Uint8Array, ...Cell[]]>(
    (slot) => sql`
      select m.key as key, ${snapshotColumns(fields, options)} from (
        select key, root from ${orderTable(listingId)}
        where key > ${slot('after')} and root < ${head} and key <= coalesce(${bound}, key)
        order by key limit ${slot('limit')}
      ) as m join ${itemTable(repoId)} as r on ${itemRow('position')} = m.root ${joins}
      order by m.key`,
  )
  return {
    count,
    fields,
    read: (end) => {
      let after = keyBefore
      return readInWindows({ from: options.from, to: end }, async ({ from, to }) => {
        const rows = await select({ after, limit: to - from })
        after = rows.at(-1)?.[0] ?? after
        return rows.map(([, ...cells]) => cells)
      })
    },
  }
}
