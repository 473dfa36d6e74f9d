import { sql } from 'kysely'
import { headOf, itemTable } from '../store/items.ts'
import type { Db } from '../store/store.ts'
import type { ListingProgress } from '../listings/listing-progress.ts'

/** Where an item stands in its repository. */
export async function findPosition(
  db: Db,
  repoId: number,
  itemId: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ position: number }>`
    select position from ${itemTable(repoId)}
    where id = ${itemId} and position < ${headOf(repoId)}`.execute(db)
  return rows[0]?.position
}

/** Whether a view has looked at the item at a position, so that it is known to be in it or not. */
export function hasSeen(position: number): (progress: ListingProgress) => boolean {
  return ({ current }) => current !== undefined && current.scanned > position
}
