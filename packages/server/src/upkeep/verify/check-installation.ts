import type { Blobs } from '../../blobs/blobs.ts'
import { checkBlobs } from '../../blobs/check-blobs.ts'
import { listLostReferences } from '../../store/blobs.ts'
import { Failure } from '../../failure.ts'
import {
  countItemsOf,
  findDatasetById,
  findRepoId,
  listDatasetIds,
  listRepoIds,
} from '../../store/datasets.ts'
import { findDeleted, findRepoIdAnywhere, listDeletedRepos } from '../../store/deleted-datasets.ts'
import type { ExistingStore } from '../../store/open-existing.ts'
import type { Db, Store } from '../../store/store.ts'
import { checkAudit } from './check-audit.ts'
import { checkLog } from './check-log.ts'
import { type CheckedRepo, checkRepo } from './check-repo.ts'

/** Something that is damaged, missing, left over or wrongly derived. */
export type Finding = {
  /**
   * `damage` has lost or altered something; a `leftover` is what collection will remove; what is `derived` of items
   * is made again from them.
   */
  kind: 'damage' | 'leftover' | 'derived'
  /** A repository, an item of one as `repo/7`, one that is deleted as `photos (deleted)/7`, a blob by its digest, or a part of the database such as `audit log`. */
  where: string
  what: string
}

export type Damage = Omit<Finding, 'kind'>

/**
 * Checks everything that an installation keeps, down to the last byte. It only reads; while a server
 * works on the same data, what is being added at that moment may show as a leftover.
 */
export async function* checkInstallation(
  store: Pick<Store, 'reads' | 'prepare'>,
  blobs: Blobs,
): AsyncGenerator<Finding> {
  for await (const damage of checkItems(store)) yield { kind: 'damage', ...damage }
  yield* checkFiles(store, blobs)
}

/** Checks every file against its digest, and that an item has it. */
export async function* checkFiles(
  { reads }: Pick<Store, 'reads'>,
  blobs: Blobs,
): AsyncGenerator<Finding> {
  for await (const { isDamage, sha256, what } of checkBlobs(reads, blobs)) {
    yield { kind: isDamage ? 'damage' : 'leftover', where: sha256, what }
  }
}

/**
 * Checks everything that is in the database: descriptions, items, their references, what is noted for them, the
 * audit log. What cannot be read at all is damage, and the rest is checked nevertheless.
 */
export async function* checkItems(store: Pick<Store, 'reads' | 'prepare'>): AsyncGenerator<Damage> {
  const db = store.reads
  yield* orUnreadable('list of datasets', checkDatasets(store))
  yield* orUnreadable('audit log', checkAudit(db))
  yield* orUnreadable('list of files', checkReferences(db))
}

async function* checkDatasets(store: Pick<Store, 'reads' | 'prepare'>): AsyncGenerator<Damage> {
  const db = store.reads
  const repos = new Set([...(await listRepoIds(db)), ...(await listDeletedRepos(db))])
  // Its name may be what cannot be read.
  for (const id of repos) yield* orUnreadable(`dataset number ${id}`, checkRepoById(store, id))
  for (const id of await listDatasetIds(db)) {
    try {
      if (!repos.has(id)) await findDatasetById(db, id)
    } catch (error) {
      yield describeUnreadable(`dataset number ${id}`, error)
    }
  }
}

async function* checkRepoById(
  store: Pick<Store, 'reads' | 'prepare'>,
  id: number,
): AsyncGenerator<Damage> {
  const db = store.reads
  const checked = await findRepo(db, id)
  if (checked === undefined) return
  const { name } = checked.repo
  for (const check of [checkRepo, checkLog]) {
    for await (const damage of orUnreadable(name, check(store, checked))) {
      // Its tables are gone where it was removed meanwhile.
      if ((await findRepo(db, id)) !== undefined) yield damage
    }
  }
}

async function* checkReferences(db: Db): AsyncGenerator<Damage> {
  for (const sha256 of await listLostReferences(db, 1000)) {
    yield { where: sha256, what: 'is noted for an item of no repository' }
  }
}

/** Checks how a database is kept, below its rows. */
export async function* checkFile({
  listFaults,
}: Pick<ExistingStore, 'listFaults'>): AsyncGenerator<Damage> {
  for (const what of await listFaults()) yield { where: 'database', what }
}

/** Ends a check where its data cannot be read, which is damage itself. */
export async function* orUnreadable(
  where: string,
  check: AsyncGenerator<Damage>,
): AsyncGenerator<Damage> {
  try {
    yield* check
  } catch (error) {
    yield describeUnreadable(where, error)
  }
}

/** @throws Failure where nothing can be read, as of a database that is away */
export function describeUnreadable(where: string, error: unknown): Damage {
  if (error instanceof Failure) throw error
  return { where, what: `cannot be read (${(error as Error).message})` }
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
