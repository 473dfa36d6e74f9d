import { sql } from 'kysely'
import type { Expression } from './expressions.ts'
import { headOf, itemTable } from './items.ts'
import type { Db, Transaction } from './store.ts'

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
