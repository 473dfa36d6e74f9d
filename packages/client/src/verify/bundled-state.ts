import { type Entry, readEntry, readLogParts } from '@vitrine/transparency-log'
import { type BundleArchive, UnreadableBundle } from './bundle-contents.ts'
import { IdSet } from './id-set.ts'

/** Counts the items of a repository that a bundle has, of those that the repository had when it had `at`. */
export async function bundledItemsAt(
  archive: BundleArchive,
  repo: string,
  at: number,
): Promise<number> {
  let position = 0
  let items = 0
  for await (const part of readLogParts(await archive.open(`log/${repo}`))) {
    if (position >= at) break
    position += part.kind === 'entry' ? 1 : part.entries
    if (part.kind === 'entry') items += 1
  }
  return items
}

/** Reads the entries of the items of a repository that a bundle has, in the order of its rows. */
export async function* bundledEntries(
  archive: BundleArchive,
  repo: string,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  for await (const part of readLogParts(await archive.open(`log/${repo}`))) {
    if (part.kind === 'entry') yield decoder.decode(part.entry)
  }
}

/**
 * Reads the items of a repository that a bundle has by their entries, in the order of its rows: their ids, and which other
 * one each of them replaces or withdraws.
 */
export async function* bundledCorrections(
  archive: BundleArchive,
  repo: string,
): AsyncGenerator<Pick<Entry, 'id' | 'replaces' | 'withdraws'>, void, undefined> {
  for await (const text of bundledEntries(archive, repo)) {
    const entry = readEntry(text)
    if (entry === undefined) throw new UnreadableBundle(`an entry of log/${repo} cannot be read`)
    yield entry
  }
}

/**
 * Counts the items of a repository that a bundle has, and that correct or withdraw others: those of which it has the other
 * one too, and those of which it has not.
 */
export async function countBundledCorrections(
  archive: BundleArchive,
  repo: string,
): Promise<{ inside: number; outside: number }> {
  const count = { inside: 0, outside: 0 }
  const ids = new IdSet()
  for await (const { id, replaces, withdraws } of bundledCorrections(archive, repo)) {
    const targetId = replaces ?? withdraws
    if (targetId !== undefined) count[ids.has(targetId) ? 'inside' : 'outside'] += 1
    ids.add(id)
  }
  return count
}
