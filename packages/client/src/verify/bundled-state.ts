import { readEntry, readLogParts } from '@vitrine/transparency-log'
import type { BundleArchive } from './bundle-contents.ts'

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

/** Counts the items of a repository that a bundle has, and that correct or withdraw others. */
export async function countBundledCorrections(
  archive: BundleArchive,
  repo: string,
): Promise<number> {
  let count = 0
  for await (const text of bundledEntries(archive, repo)) {
    const { replaces, withdraws } = readEntry(text) ?? {}
    if (replaces !== undefined || withdraws !== undefined) count += 1
  }
  return count
}
