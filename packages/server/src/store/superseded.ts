import { sql } from 'kysely'
import type { Expression } from './expressions.ts'
import { headOf, itemTable } from './items.ts'
import type { Db, Store, Transaction } from './store.ts'

/**
 * Writes which items do not hold any more once an item, at its position, replaces another one: that one, and the item
 * itself where it withdraws the other.
 */
export async function insertSuperseded(
  transaction: Transaction,
  { repoId, position, replaces }: { repoId: number; position: number; replaces: number },
  { withdraws }: { withdraws: boolean },
): Promise<void> {
  // What withdraws an item never holds, also when it is corrected itself.
  await sql`
    insert into superseded (dataset_id, position, since)
    select ${repoId}, item.position, ${position} from ${itemTable(repoId)} as item
    where item.id = ${replaces} ${withdraws ? sql`or item.position = ${position}` : sql``}
    on conflict (dataset_id, position) do nothing`.execute(transaction)
}

/** Whether the item at a position of a repository does not hold in the state of `at` items. */
export function isSuperseded(repoId: number, position: Expression, at: Expression): Expression {
  return sql`exists (
    select 1 from superseded
    where superseded.dataset_id = ${repoId} and superseded.position = ${position}
      and superseded.since < ${at}
  )`
}

/** Returns the position of the last item that superseded another in the state of `at` items; null where none did. */
export async function readLastSince(db: Db, repoId: number, at: number): Promise<number | null> {
  const { rows } = await sql<{ since: number | null }>`
    select max(since) as since from superseded
    where dataset_id = ${repoId} and since < ${at}`.execute(db)
  return rows[0]!.since
}

/** Whether items of a repository were ever replaced or withdrawn. */
export async function hasSuperseded(db: Db, repoId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from superseded
    where dataset_id = ${repoId} and since < ${headOf(repoId)} limit 1`.execute(db)
  return rows.length > 0
}

/** Positions of the items that do not hold any more, and since when, as the corrections of a repository say. */
const expectedRows = (repoId: number) => sql`
  select item.position, correction.position as since
  from corrections as correction
  join ${itemTable(repoId)} as item on item.id = correction.replaces_id
  where correction.dataset_id = ${sql.lit(repoId)} and correction.position < ${headOf(repoId)}
    and correction.replaces_id not in (
      select item_id from corrections where dataset_id = ${sql.lit(repoId)} and withdraws = 1
    )
  union all
  select position, position from corrections
  where dataset_id = ${sql.lit(repoId)} and withdraws = 1 and position < ${headOf(repoId)}`

const storedRows = (repoId: number) => sql`
  select position, since from superseded
  where dataset_id = ${sql.lit(repoId)} and since < ${headOf(repoId)}`

/** Whether the table of superseded items says of a repository what its corrections do. */
export async function isSupersededConsistent(
  { prepareInWorker }: Pick<Store, 'prepareInWorker'>,
  repoId: number,
): Promise<boolean> {
  const [stored, expected] = [storedRows(repoId), expectedRows(repoId)]
  const select = prepareInWorker<object, [count: number]>(
    () => sql`
      select count(*) from (
        select * from (select * from (${stored}) as a except select * from (${expected}) as b) as c
        union all
        select * from (select * from (${expected}) as d except select * from (${stored}) as e) as f
      ) as differences`,
  )
  return (await select({}))[0]![0] === 0
}

/** Writes which items of a repository do not hold any more once again. */
export async function rebuildSuperseded(transaction: Transaction, repoId: number): Promise<void> {
  await sql`
    delete from superseded
    where dataset_id = ${repoId} and since < ${headOf(repoId)}`.execute(transaction)
  await sql`
    insert into superseded (dataset_id, position, since)
    select ${sql.lit(repoId)}, position, since from (${expectedRows(repoId)}) as expected
    where true on conflict (dataset_id, position) do nothing`.execute(transaction)
}
