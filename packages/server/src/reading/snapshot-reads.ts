import { sql } from 'kysely'
import {
  cellColumns,
  joinedCells,
  numbers,
  type Expression,
  type JoinedCells,
} from '../store/expressions.ts'
import { itemRow, snapshotCells, textBytes, type ShownField } from '../store/item-rows.ts'
import { itemTable } from '../store/items.ts'
import { keysTable, membersTable, orderTable } from '../store/listing-tables.ts'
import { isSuperseded } from '../store/superseded.ts'
import type { Store } from '../store/store.ts'
import type { Shown } from '../language/shown-fields.ts'
import type { Gaps } from '../listings/gaps.ts'
import type { PositionSet } from './position-set.ts'
import { readInWindows, type Snapshot, type SnapshotColumn, type WindowRange } from './snapshot.ts'

type Source = { repoId: number; listingId: number | undefined; count: number }

/** State of a repository whose current items alone are read. */
type CurrentAt = { at: number }

function isCurrent(repoId: number, position: Expression, current: CurrentAt | undefined) {
  return current === undefined
    ? sql`true`
    : sql`not ${isSuperseded(repoId, position, sql`${current.at}`)}`
}

/**
 * Counts the rows of a window of a listing by its keys. One that was let go is emptied while it may still be read, from
 * the first key on: a window of it would have the rows behind those that are missing.
 */
function countByKey(listingId: number) {
  const isKept = sql`exists (select 1 from listings where id = ${listingId} and state <> 'dropped')`
  return sql`case when ${isKept} then count(*) else 0 end`
}

function cellsOf(fields: readonly ShownField[], columns: readonly SnapshotColumn[]) {
  const cells = snapshotCells(fields)
  return cellColumns(
    columns.map(({ at, presentAt }) =>
      at === presentAt
        ? cells[at]!
        : sql`case when ${cells[presentAt]} is not null then ${cells[at]} end`,
    ),
  )
}

/**
 * Bytes of text in a row up to which a window has a bound without being measured, which takes a third of the time in
 * which it is read: 16 MiB, where all rows are suddenly as long as they may be.
 */
const measuredFrom = 4096

/** Whether rows have no more bytes of text than a window may. */
function isFitting(
  fields: readonly ShownField[],
  columns: readonly SnapshotColumn[],
  { rows, bytesMax }: { rows: Expression; bytesMax: Expression },
) {
  // Digests are computed of them, too.
  const read = fields.filter((_, index) => columns.some(({ presentAt }) => presentAt === index + 1))
  if (read.reduce((sum, field) => sum + field.bytesMax, 0) <= measuredFrom) return sql`true`
  return sql`(select coalesce(sum(${textBytes(read)}), 0) ${rows}) <= ${bytesMax}`
}

/** A plain sequence up to a number of items: it only grows at its end. */
export function plainSnapshot(
  { prepareInWorker }: Store,
  {
    repoId,
    listingId,
    count,
    current,
  }: Source & { current?: (CurrentAt & { gaps: Gaps }) | undefined },
  { fields, joins }: Shown,
  from: number,
): Snapshot {
  const items = sql`${itemTable(repoId)} as r`
  const [source, position] =
    listingId === undefined
      ? [items, itemRow('position')]
      : [
          sql`${membersTable(listingId)} as m join ${items} on ${itemRow('position')} = m.root`,
          sql.ref('m.position'),
        ]
  return {
    count,
    fields,
    read: (end, columns) => {
      const select = prepareInWorker<WindowRange, [number, JoinedCells]>((slot) => {
        const rows = sql`from ${source} ${joins}
          where ${position} >= ${slot('from')} and ${position} < ${slot('to')}
            and ${isCurrent(repoId, itemRow('position'), current)}`
        return sql`
          select count(*), ${joinedCells(columns.length)} from (
            select ${cellsOf(fields, columns)} ${rows}
            and ${isFitting(fields, columns, { rows, bytesMax: slot('bytesMax') })}
            order by ${position}
          ) as rows`
      })
      const placesOf = ({ from: first, to, bytesMax }: WindowRange) =>
        current === undefined
          ? { from: first, to, bytesMax }
          : { from: current.gaps.placeOf(first), to: current.gaps.placeOf(to - 1) + 1, bytesMax }
      return readInWindows({ from, to: end }, async (range) => (await select(placesOf(range)))[0]!)
    },
  }
}

/** Some items of a repository, in commit order. */
export function pickedSnapshot(
  { reads }: Pick<Store, 'reads'>,
  { repoId, picked }: { repoId: number; picked: PositionSet },
  { fields, joins }: Shown,
): Snapshot {
  return {
    count: picked.count,
    fields,
    read: (end, columns) => {
      const positions = picked.within(0, picked.end)
      const next: number[] = []
      return readInWindows({ from: 0, to: end }, async ({ from, to, bytesMax }) => {
        while (next.length < to - from) next.push(positions.next().value as number)
        const some = next.slice(0, to - from)
        const source = sql`from ${itemTable(repoId)} as r ${joins}
          where ${itemRow('position')} in (select value from ${numbers(some)})`
        const { rows } = await sql<{ count: number; lists: JoinedCells }>`
          select count(*) as count, ${joinedCells(columns.length)} as lists from (
            select ${cellsOf(fields, columns)} ${source}
            and ${isFitting(fields, columns, { rows: source, bytesMax: sql`${bytesMax}` })}
            order by ${itemRow('position')}
          ) as rows`.execute(reads)
        const { count, lists } = rows[0]!
        next.splice(0, count)
        return [count, lists]
      })
    },
  }
}

/**
 * Snapshot of the items that a listing in the making has found in the repository from `after` on, up to a number of
 * items: in the order of the repository, in which it only grows at its end.
 */
export function foundSnapshot(
  { prepareInWorker }: Store,
  {
    repoId,
    listingId,
    count,
    after,
    current,
  }: Source & { listingId: number; after: number; current?: CurrentAt | undefined },
  { fields, joins }: Shown,
  from: number,
): Snapshot {
  return {
    count,
    fields,
    read: (end, columns) => {
      const select = prepareInWorker<
        { next: number; limit: number; bytesMax: number },
        [number, JoinedCells, last: number]
      >((slot) => {
        const rows = sql`
          from m join ${itemTable(repoId)} as r on ${itemRow('position')} = m.root ${joins}`
        return sql`
          with m as (
            select root from ${keysTable(listingId)}
            where root >= ${slot('next')} and ${isCurrent(repoId, sql.ref('root'), current)}
            order by root limit ${slot('limit')}
          )
          select ${countByKey(listingId)}, ${joinedCells(columns.length)}, (select max(root) from m) from (
            select ${cellsOf(fields, columns)} ${rows}
            where ${isFitting(fields, columns, { rows, bytesMax: slot('bytesMax') })}
            order by m.root
          ) as rows`
      })
      let next = after
      return readInWindows({ from, to: end }, async ({ from: at, to, bytesMax }) => {
        const [count, lists, last] = (await select({ next, limit: to - at, bytesMax }))[0]!
        if (count > 0) next = last + 1
        return [count, lists]
      })
    },
  }
}

/**
 * A listing in order as it was: items that came later stand beyond `head` in the repository, wherever
 * they stand in the order.
 */
export function orderedSnapshot(
  { prepareInWorker }: Store,
  source: Source & {
    listingId: number
    head: number
    bound: Uint8Array | undefined
    /** The key after which the first item to be read stands. */
    keyBefore: Uint8Array
    current?: CurrentAt | undefined
  },
  { fields, joins }: Shown,
  from: number,
): Snapshot {
  const { repoId, listingId, head, bound = null, count, keyBefore, current } = source
  return {
    count,
    fields,
    read: (end, columns) => {
      const select = prepareInWorker<
        { after: Uint8Array; limit: number; bytesMax: number },
        [number, JoinedCells, lastKey: Uint8Array]
      >((slot) => {
        const rows = sql`
          from m join ${itemTable(repoId)} as r on ${itemRow('position')} = m.root ${joins}`
        return sql`
          with m as (
            select key, root from ${orderTable(listingId)}
            where key > ${slot('after')} and root < ${head} and key <= coalesce(${bound}, key)
              and ${isCurrent(repoId, sql.ref('root'), current)}
            order by key limit ${slot('limit')}
          )
          select ${countByKey(listingId)}, ${joinedCells(columns.length)}, (select key from m order by key desc limit 1) from (
            select ${cellsOf(fields, columns)} ${rows}
            where ${isFitting(fields, columns, { rows, bytesMax: slot('bytesMax') })}
            order by m.key
          ) as rows`
      })
      let after = keyBefore
      return readInWindows({ from, to: end }, async ({ from: at, to, bytesMax }) => {
        const [count, lists, lastKey] = (await select({ after, limit: to - at, bytesMax }))[0]!
        if (count > 0) after = lastKey
        return [count, lists]
      })
    },
  }
}
