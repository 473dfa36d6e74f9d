import { tileWidth } from '@vitrine/transparency-log'
import { headAnywhere } from '../../store/items.ts'
import { leafOf, rootOf } from '../../store/leaf.ts'
import { prepareLogEntries } from '../../store/log-entries.ts'
import { listLogNodes } from '../../store/log-nodes.ts'
import type { Db, Store } from '../../store/store.ts'
import type { CheckedRepo } from './check-repo.ts'

/**
 * Checks the log of a repository against its items: the hash of each entry, and every hash above.
 * Yields what is wrong, and where.
 */
export async function* checkLog(
  { reads: db, prepare }: Pick<Store, 'reads' | 'prepare'>,
  { repo, count }: Pick<CheckedRepo, 'repo' | 'count'>,
): AsyncGenerator<{ where: string; what: string }> {
  const entries = prepareLogEntries(prepare, repo, headAnywhere(repo.id))
  const corruptAt = (position: number) => ({
    where: repo.name,
    what: `the log is not that of its items from position ${position}`,
  })
  for (let from = 0; from < count; from += tileWidth) {
    const tileEntries = await entries.range({ from, to: Math.min(from + tileWidth, count) })
    const leaves = tileEntries.map(({ entry, leaf }) => leaf ?? leafOf(entry))
    for (const [at, { entry, isAltered }] of tileEntries.entries()) {
      if (!isAltered && !leafOf(entry).equals(leaves[at]!)) {
        yield { where: `${repo.name}/${entry.id}`, what: 'is not what its log says' }
      }
    }
    // What is missing from a tile is told of with the items.
    if (await isTileCorrupt(db, { id: repo.id, from, leaves })) yield corruptAt(from)
  }
  for await (const from of listCorruptNodes(db, { id: repo.id, count })) yield corruptAt(from)
}

/** Whether the hash of a complete tile of entries is another one; where nobody asked for it yet, it may not be there. */
export function isTileCorrupt(
  db: Db,
  { id, from, leaves }: { id: number; from: number; leaves: readonly Uint8Array[] },
): Promise<boolean> {
  return isNodeCorrupt(db, { id, level: 1, number: from / tileWidth, below: leaves })
}

/** Yields the first entry of each hash above those of tiles that is not that of the hashes below it. */
export async function* listCorruptNodes(
  db: Db,
  { id, count }: { id: number; count: number },
): AsyncGenerator<number> {
  for (let level = 2; tileWidth ** level <= count; level += 1) {
    for (let number = 0; (number + 1) * tileWidth ** level <= count; number += 1) {
      const range = { from: number * tileWidth, to: (number + 1) * tileWidth }
      const below = await listLogNodes(db, { repoId: id, level: level - 1, ...range })
      if (await isNodeCorrupt(db, { id, level, number, below })) yield number * tileWidth ** level
    }
  }
}

async function isNodeCorrupt(
  db: Db,
  {
    id,
    level,
    number,
    below,
  }: { id: number; level: number; number: number; below: readonly Uint8Array[] },
): Promise<boolean> {
  if (below.length < tileWidth) return false
  const [hash] = await listLogNodes(db, { repoId: id, level, from: number, to: number + 1 })
  return hash !== undefined && !Buffer.from(rootOf(below)).equals(hash)
}
