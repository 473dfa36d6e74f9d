import type { Person } from '@vitrine/contract'
import { sql } from 'kysely'
import { itemTable } from '../store/items.ts'
import { shownPerson } from '../store/people.ts'
import type { Db } from '../store/store.ts'

/** Finds who added an item that is there; undefined of an item that is older than that is kept. */
export async function findItemAuthor(
  db: Db,
  repoId: number,
  itemId: number,
): Promise<Person | undefined> {
  const { rows } = await sql<{ key: string; name: string | null }>`
    select people.key, people.name from ${itemTable(repoId)} as item
    join people on people.id = item.author
    where item.id = ${itemId}`.execute(db)
  return rows[0] && shownPerson(rows[0])
}
