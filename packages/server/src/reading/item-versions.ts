import { type ItemVersion, type Replacement, limits } from '@vitrine/contract'
import { sequenceEnd } from '../language/sequence.ts'
import { listReplacements, listVersions } from '../store/corrections.ts'
import { shownPerson } from '../store/people.ts'
import type { Db } from '../store/store.ts'
import type { ReadableDataset } from './compiled-datasets.ts'
import { everywhere } from './plain-reads.ts'
import type { ReadOptions } from '../listings/catch-up.ts'

/**
 * Lists versions of an item of a dataset, from the first on; undefined where it does not have the item. Of versions
 * that it does not have, only the id and the kind of change: a view may be read by people who may not read its base.
 * @throws Failure VIEW_NOT_READY
 */
export async function listItemVersions(
  db: Db,
  dataset: ReadableDataset,
  { itemId, ...page }: { itemId: number; page: number; pageSize: number },
  options: ReadOptions,
): Promise<ItemVersion[] | undefined> {
  if (!(await hasItem(dataset, itemId, options))) return undefined
  const item = { repoId: dataset.repoId, itemId, before: endOf(dataset) }
  const rows = await listVersions(db, item, page)
  return Promise.all(
    rows.map(async ({ id, createdAt, author, authorName: name, reason, withdraws }) => {
      const change = withdraws === null ? 'added' : withdraws === 1 ? 'withdrawn' : 'corrected'
      if (!(await isMember(dataset, id, options))) return { id, change }
      return {
        id,
        change,
        createdAt: new Date(createdAt).toISOString(),
        ...(author !== null && { author: shownPerson({ key: author, name }) }),
        ...(reason !== null && { reason }),
      }
    }),
  )
}

/**
 * Lists the items of a dataset, of some ids, that were replaced or withdraw others.
 * @throws Failure VIEW_NOT_READY
 */
export async function listItemReplacements(
  db: Db,
  dataset: ReadableDataset,
  itemIds: readonly number[],
  options: ReadOptions,
): Promise<Replacement[]> {
  const repo = { repoId: dataset.repoId, before: endOf(dataset) }
  const rows = await listReplacements(db, repo, itemIds)
  const replacements = await Promise.all(
    rows.map(async ({ id, latest, withdraws }) => {
      if (!(await isMember(dataset, id, options))) return []
      const isKnown = await isMember(dataset, latest, options)
      return [{ id, ...(isKnown && { latest }), isWithdrawn: withdraws === 1 }]
    }),
  )
  return replacements.flat()
}

/** Position before which corrections count in a dataset. */
function endOf({ at = everywhere, sequence }: ReadableDataset): number {
  return Math.min(at, sequenceEnd(sequence), everywhere)
}

/** Whether a dataset has an item that its repository has before its end. */
async function isMember(
  dataset: ReadableDataset,
  itemId: number,
  options: ReadOptions,
): Promise<boolean> {
  return dataset.isWhole || (await hasItem(dataset, itemId, options))
}

async function hasItem(
  { allVersions }: ReadableDataset,
  itemId: number,
  options: ReadOptions,
): Promise<boolean> {
  return (await allVersions.get(itemId, options, limits.cut)).value !== undefined
}
