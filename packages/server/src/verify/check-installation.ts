import type { Blobs } from '../blobs/blobs.ts'
import { checkBlobs } from '../blobs/check-blobs.ts'
import { listLostReferences } from '../store/blobs.ts'
import { countItemsOf, findDatasetById, findRepoId, listRepoIds } from '../store/datasets.ts'
import { findDeleted, findRepoIdAnywhere, listDeletedRepos } from '../store/deleted-datasets.ts'
import type { Db, Store } from '../store/store.ts'
import { checkAudit } from './check-audit.ts'
import { checkLog } from './check-log.ts'
import { checkRepo, type CheckedRepo } from './check-repo.ts'

/** Something that is damaged, missing, left over or wrongly derived. */
export type Finding = {
  /**
   * `damage` has lost or altered something; a `leftover` is what collection will remove; what is `derived` of items
   * is made again from them.
   */
  kind: 'damage' | 'leftover' | 'derived'
  /** A repository, an item of one as `repo/7`, one that is deleted as `photos (deleted)/7`, a blob by its digest, or `audit log`. */
  where: string
  what: string
}

/**
 * Checks everything that an installation keeps, down to the last byte. It only reads; while a server
 * works on the same data, what is being added at that moment may show as a leftover.
 */
export async function* checkInstallation(
  store: Pick<Store, 'reads' | 'prepare'>,
  blobs: Blobs,
): AsyncGenerator<Finding> {
  for await (const damage of checkItems(store)) yield { kind: 'damage', ...damage }
  for await (const { isDamage, sha256, what } of checkBlobs(store.reads, blobs)) {
    yield { kind: isDamage ? 'damage' : 'leftover', where: sha256, what }
  }
}

/** Checks everything that is in the database: items, their references, what is noted for them, the audit log. */
export async function* checkItems(
  store: Pick<Store, 'reads' | 'prepare'>,
): AsyncGenerator<Omit<Finding, 'kind'>> {
  const db = store.reads
  for (const id of [...(await listRepoIds(db)), ...(await listDeletedRepos(db))]) {
    const checked = await findRepo(db, id)
    if (checked === undefined) continue
    try {
      yield* checkRepo(store, checked)
      yield* checkLog(store, checked)
    } catch (error) {
      // It was removed meanwhile, and its tables with it.
      if ((await findRepo(db, id)) !== undefined) throw error
    }
  }
  yield* checkAudit(db)
  for (const sha256 of await listLostReferences(db, 1000)) {
    yield { where: sha256, what: 'is noted for an item of no repository' }
  }
}

/** Finds a repository that is there, or deleted and to be taken back: its items must be whole, too. */
async function findRepo(db: Db, id: number): Promise<CheckedRepo | undefined> {
  const repo = await findDatasetById(db, id)
  if (repo !== undefined) {
    const count = await countItemsOf(db, id)
    return { repo, count, findTarget: (name) => findRepoId(db, name) }
  }
  const deleted = await findDeleted(db, id)
  if (deleted === undefined) return undefined
  const { dataset, items: count, targets } = deleted
  return {
    repo: { ...dataset, name: `${dataset.name} (deleted)` },
    count,
    findTarget: async (name) => {
      const target = targets.get(name)
      return target === undefined ? undefined : findRepoIdAnywhere(db, target)
    },
  }
}
