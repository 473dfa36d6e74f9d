import type { ItemOrigin, Provenance } from '@vitrine/contract'
import { readBundle, readCheckpoint, readEntry, readNote } from '@vitrine/transparency-log'
import { listItemOrigins, listOrigins } from '../store/item-origins.ts'
import type { Db } from '../store/store.ts'
import { findPosition } from './item-position.ts'

/** Finds where an item comes from that was imported from a bundle; undefined of others. */
export async function findItemOrigin(
  db: Db,
  repoId: number,
  itemId: number,
): Promise<ItemOrigin | undefined> {
  const position = await findPosition(db, repoId, itemId)
  if (position === undefined) return undefined
  const [found] = await listItemOrigins(db, repoId, { from: position, to: position + 1 })
  if (found === undefined) return undefined
  const bytes = readBundle(new Uint8Array(found.entries))?.[position - found.position]
  const entry = bytes && readEntry(new TextDecoder().decode(bytes))
  if (entry === undefined) return undefined
  const { id, createdAt, by } = entry
  return { ...logOf(found), key: found.key, id, createdAt, ...(by !== undefined && { by }) }
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
