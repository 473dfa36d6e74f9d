import { sql } from 'kysely'
import { integer } from './engine-sql.ts'
import { numbers } from './expressions.ts'
import { headOf, isBelow, itemTable } from './items.ts'
import { statement } from './statement.ts'
import { insertSuperseded } from './superseded.ts'
import type { Db, Transaction } from './store.ts'

/** Replacement of an item by another one of its repository. */
export type Correction = {
  replaces: number
  reason: string
  /** Whether it is replaced by nothing: the item that says so repeats its values. */
  withdraws: boolean
}

/** A committed item that is to be corrected. */
export type Correctable = {
  /** `issuer subject` of whoever added it; null of items that are older than that is stored. */
  author: string | null
  /** Whether it withdraws another one. */
  withdraws: boolean
  replacement: { id: number; withdraws: boolean; author: string | null } | undefined
}

/** Finds a committed item, with the item that replaced it. */
export async function findCorrectable(
  db: Db,
  repoId: number,
  itemId: number,
): Promise<Correctable | undefined> {
  const keyOf = (item: string) =>
    sql`(select key from people where people.id = ${sql.ref(`${item}.author`)})`
  const { rows } = await sql<{
    author: string | null
    replacedBy: number | null
    withdraws: number | null
    replacedByAuthor: string | null
    ownWithdraws: number | null
  }>`
    select ${keyOf('item')} as author, own.withdraws as "ownWithdraws", correction.item_id as "replacedBy", correction.withdraws,
      ${keyOf('later')} as "replacedByAuthor"
    from ${itemTable(repoId)} as item
    left join corrections as own on own.dataset_id = ${repoId} and own.item_id = item.id
    left join corrections as correction
      on correction.dataset_id = ${repoId} and correction.replaces_id = item.id
      and ${isBelow(sql.ref('correction.position'), headOf(repoId))}
    left join ${itemTable(repoId)} as later on later.id = correction.item_id
    where item.id = ${itemId} and ${isBelow(sql.ref('item.position'), headOf(repoId))}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { author, replacedBy, withdraws, replacedByAuthor, ownWithdraws } = row
  return {
    author,
    withdraws: ownWithdraws === 1,
    replacement:
      replacedBy === null
        ? undefined
        : { id: replacedBy, withdraws: withdraws === 1, author: replacedByAuthor },
  }
}

/**
 * Writes that a committed item, at its position, replaces another one.
 * @returns false where that was replaced before
 */
export async function insertCorrection(
  transaction: Transaction,
  item: { repoId: number; id: number; position: number },
  { replaces, reason, withdraws }: Correction,
): Promise<boolean> {
  const rows = await insertRow(transaction, {
    ...item,
    replaces,
    reason,
    withdraws: withdraws ? 1 : 0,
  })
  if (rows.length === 0) return false
  await insertSuperseded(transaction, { ...item, replaces }, { withdraws })
  return true
}

type CorrectionRow = {
  repoId: number
  id: number
  position: number
  replaces: number
  reason: string
  withdraws: number
}

const insertRow = statement<CorrectionRow>((slot) => {
  const replaces = sql`cast(${slot('replaces')} as ${integer})`
  return sql`
    insert into corrections
      (dataset_id, replaces_id, item_id, first_id, position, withdraws, reason)
    values (${slot('repoId')}, ${replaces}, ${slot('id')},
      coalesce((
        select first_id from corrections
        where dataset_id = ${slot('repoId')} and item_id = ${replaces}
      ), ${replaces}), ${slot('position')}, ${slot('withdraws')}, ${slot('reason')})
    on conflict (dataset_id, replaces_id) do nothing returning item_id`
})

/** Version of an item, with the correction by which it came about. */
export type VersionRow = {
  id: number
  createdAt: number
  author: string | null
  authorName: string | null
  reason: string | null
  withdraws: number | null
}

/** Lists versions of an item, from the first on, that stand before a position. */
export async function listVersions(
  db: Db,
  { repoId, itemId, before }: { repoId: number; itemId: number; before: number },
  { page, pageSize }: { page: number; pageSize: number },
): Promise<VersionRow[]> {
  const first = sql`coalesce(
    (select first_id from corrections where dataset_id = ${repoId} and item_id = ${itemId}),
    cast(${itemId} as ${integer}))`
  const { rows } = await sql<VersionRow>`
    select item.id, item.created_at as "createdAt", people.key as author,
      people.name as "authorName", version.reason, version.withdraws
    from ${itemTable(repoId)} as item
    left join corrections as version
      on version.dataset_id = ${repoId} and version.item_id = item.id
    left join people on people.id = item.author
    where item.id in (
      select ${first} as id
      union all
      select item_id from corrections where dataset_id = ${repoId} and first_id = ${first}
    )
    and item.position < ${before} and ${isBelow(sql.ref('item.position'), headOf(repoId))}
    order by item.position limit ${pageSize} offset ${page * pageSize}`.execute(db)
  return rows
}

/**
 * Lists the items, of some ids, that do not hold any more before a position: those that were replaced, and those that
 * withdraw others. Each has its latest version there.
 */
export async function listReplacements(
  db: Db,
  { repoId, before }: { repoId: number; before: number },
  itemIds: readonly number[],
): Promise<{ id: number; latest: number; withdraws: number }[]> {
  const among = sql`(select value from ${numbers(itemIds)})`
  const { rows } = await sql<{ id: number; latest: number; withdraws: number }>`
    select replaced.id, latest.item_id as latest, latest.withdraws
    from (
      select replaces_id as id, first_id from corrections
      where dataset_id = ${repoId} and position < ${before} and replaces_id in ${among}
      union
      select item_id, first_id from corrections
      where dataset_id = ${repoId} and position < ${before} and item_id in ${among}
        and withdraws = 1
    ) as replaced
    join corrections as latest on latest.dataset_id = ${repoId}
      and latest.first_id = replaced.first_id
      and latest.position = (
        select max(position) from corrections
        where dataset_id = ${repoId} and first_id = replaced.first_id and position < ${before}
      )
    order by replaced.id`.execute(db)
  return rows
}

/** Lists the corrections that items are, by their ids. */
export async function listCorrections(
  db: Db,
  repoId: number,
  itemIds: readonly number[],
): Promise<Map<number, Correction>> {
  const { rows } = await sql<{ id: number; replaces: number; withdraws: number; reason: string }>`
    select item_id as id, replaces_id as replaces, withdraws, reason from corrections
    where dataset_id = ${repoId} and item_id in (select value from ${numbers(itemIds)})`.execute(db)
  return new Map(
    rows.map(({ id, replaces, withdraws, reason }) => [
      id,
      { replaces, withdraws: withdraws === 1, reason },
    ]),
  )
}
