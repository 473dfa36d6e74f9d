import { sql } from 'kysely'
import { fail } from '../failure.ts'
import { headOf, itemTable } from '../store/items.ts'
import type { Db } from '../store/store.ts'
import type { Standing } from './standing.ts'

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

/**
 * Of an item that a view has not looked at, nothing can be said.
 * @throws Failure OVERLOADED
 */
export function requireSeen({ current }: Standing, position: number): void {
  if (current === undefined || current.scanned <= position) throw fail('OVERLOADED')
}
