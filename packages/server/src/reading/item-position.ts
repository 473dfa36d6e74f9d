import { sql } from 'kysely'
import { numbers } from '../store/expressions.ts'
import { headOf, itemTable } from '../store/items.ts'
import type { Db } from '../store/store.ts'
import type { ListingProgress } from '../listings/listing-progress.ts'

/** Finds the position of an item in its repository. */
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

/** Ids that one query asks for. */
const batch = 1000

/** Finds the positions of items in their repository, in any order; those that it has not are left out. */
export async function findPositions(
  db: Db,
  repoId: number,
  itemIds: readonly number[],
): Promise<number[]> {
  const found: number[] = []
  for (let from = 0; from < itemIds.length; from += batch) {
    const { rows } = await sql<{ position: number }>`
      select position from ${itemTable(repoId)}
      where id in (select value from ${numbers(itemIds.slice(from, from + batch))})
      and position < ${headOf(repoId)}`.execute(db)
    for (const { position } of rows) found.push(position)
  }
  return found
}

/** Whether a view has looked at the item at a position, so that it is known to be in it or not. */
export function hasSeen(position: number): (progress: ListingProgress) => boolean {
  return ({ current }) => current !== undefined && current.scanned > position
}
