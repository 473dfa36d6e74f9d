import { sql } from 'kysely'
import { headOf, itemTable } from './items.ts'
import type { Db } from './store.ts'

/** Counts the committed items from one position to another, which is left out, that a person has added. */
export async function countItemsBy(
  db: Db,
  repoId: number,
  { from, to, key }: { from: number; to: number; key: string },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${itemTable(repoId)} as item
    join people on people.id = item.author
    where item.position >= ${from} and item.position < ${to}
    and item.position < ${headOf(repoId)} and people.key = ${key}`.execute(db)
  return rows[0]!.count
}
