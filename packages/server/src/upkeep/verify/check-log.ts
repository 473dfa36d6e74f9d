import { tileWidth } from '@vitrine/transparency-log'
import { headAnywhere } from '../../store/items.ts'
import { leafOf, rootOf } from '../../store/leaf.ts'
import { prepareLogEntries } from '../../store/log-entries.ts'
import { listLogNodes } from '../../store/log-nodes.ts'
import type { Store } from '../../store/store.ts'
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
  for (let tile = 0; tile * tileWidth < count; tile += 1) {
    const from = tile * tileWidth
    const tileEntries = await entries.range({ from, to: Math.min(from + tileWidth, count) })
    const leaves = tileEntries.map(({ entry, leaf }) => leaf ?? leafOf(entry))
    for (const [at, { entry }] of tileEntries.entries()) {
      if (!leafOf(entry).equals(leaves[at]!)) {
        yield { where: `${repo.name}/${entry.id}`, what: 'is not what its log says' }
      }
    }
    // What is missing from a tile is told of with the items.
    if (leaves.length === tileWidth) yield* checkNode(leaves, { level: 1, number: tile })
  }
  for (let level = 2; tileWidth ** level <= count; level += 1) {
    for (let number = 0; (number + 1) * tileWidth ** level <= count; number += 1) {
      const range = { from: number * tileWidth, to: (number + 1) * tileWidth }
      const below = await listLogNodes(db, { repoId: repo.id, level: level - 1, ...range })
      if (below.length === tileWidth) yield* checkNode(below, { level, number })
    }
  }

  /** Those that nobody asked for yet may not be there. */
  async function* checkNode(
    below: readonly Uint8Array[],
    { level, number }: { level: number; number: number },
  ): AsyncGenerator<{ where: string; what: string }> {
    const at = { repoId: repo.id, level, from: number, to: number + 1 }
    const [row] = await listLogNodes(db, at)
    if (row === undefined || Buffer.from(rootOf(below)).equals(row)) return
    const what = `the log is not that of its items from position ${number * tileWidth ** level}`
    yield { where: repo.name, what }
  }
}
