import { sql } from 'kysely'
import type { ItemOrigin, Person, Provenance } from '@vitrine/contract'
import { readBundle, readCheckpoint, readEntry, readNote } from '@vitrine/transparency-log'
import { numbers } from '../store/expressions.ts'
import { headOf, isBelow, itemTable } from '../store/items.ts'
import type { Db } from '../store/store.ts'
import type { ListingProgress } from '../listings/listing-progress.ts'
import { shownPerson } from '../store/people.ts'
import { listItemOrigins, listOrigins } from '../store/item-origins.ts'

/** Finds the position of an item in its repository. */
export async function findPosition(
  db: Db,
  repoId: number,
  itemId: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ position: number }>`
    select position from ${itemTable(repoId)}
    where id = ${itemId} and ${isBelow(sql.ref('position'), headOf(repoId))}`.execute(db)
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
  const positions: number[] = []
  for (let from = 0; from < itemIds.length; from += batch) {
    const { rows } = await sql<{ position: number }>`
      select position from ${itemTable(repoId)}
      where id in (select value from ${numbers(itemIds.slice(from, from + batch))})
      and ${isBelow(sql.ref('position'), headOf(repoId))}`.execute(db)
    for (const { position } of rows) positions.push(position)
  }
  return positions
}

/** Finds the ids of the items at some positions of a repository. */
export async function findIdsAt(
  db: Db,
  repoId: number,
  positions: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ position: number; id: number }>`
    select position, id from ${itemTable(repoId)}
    where position in (select value from ${numbers(positions)})`.execute(db)
  return new Map(rows.map(({ position, id }) => [position, id]))
}

/** Whether a view has looked at the item at a position, so that it is known to be in it or not. */
export function hasSeen(position: number): (progress: ListingProgress) => boolean {
  return ({ current }) => current !== undefined && current.scanned > position
}

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

/** Finds where an item comes from that was imported from a bundle; undefined of others. */
export async function findItemOrigin(
  db: Db,
  repoId: number,
  itemId: number,
): Promise<ItemOrigin | undefined> {
  const position = await findPosition(db, repoId, itemId)
  if (position === undefined) return undefined
  const [row] = await listItemOrigins(db, repoId, { from: position, to: position + 1 })
  if (row === undefined) return undefined
  const bytes = readBundle(new Uint8Array(row.entries))?.[position - row.position]
  const entry = bytes && readEntry(new TextDecoder().decode(bytes))
  if (entry === undefined) return undefined
  const { id, createdAt, by } = entry
  return { ...logOf(row), key: row.key, id, createdAt, ...(by !== undefined && { by }) }
}

/** Lists the logs that items of a repository come from. */
export async function listDatasetOrigins(
  db: Db,
  repoId: number,
): Promise<NonNullable<Provenance['origins']>> {
  const origins = await listOrigins(db, repoId)
  return origins.map(({ checkpoint, key, items }) => {
    return { ...logOf({ checkpoint }), key, checkpoint, items }
  })
}

/** Returns the origin and size in a checkpoint, which was verified before it was stored. */
function logOf({ checkpoint }: { checkpoint: string }): { origin: string; size: number } {
  const { origin, size } = readCheckpoint(readNote(checkpoint)!.text)!
  return { origin, size }
}
