import type { Blobs } from '../blobs/blobs.ts'
import { checkBlobs } from '../blobs/check-blobs.ts'
import { listLostReferences } from '../store/blobs.ts'
import { findDatasetById, listRepoIds } from '../store/datasets.ts'
import type { Store } from '../store/store.ts'
import { checkRepo } from './check-repo.ts'

/** Something that is damaged, missing or left over. */
export type Finding = {
  /** `damage` has lost or altered something; a `leftover` is what collection will remove. */
  kind: 'damage' | 'leftover'
  /** A repository, an item of one as `repo/7`, or a blob by its digest. */
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

/** Checks everything that is in the database: items, their references and what is noted for them. */
export async function* checkItems(
  store: Pick<Store, 'reads' | 'prepare'>,
): AsyncGenerator<Omit<Finding, 'kind'>> {
  const db = store.reads
  for (const id of await listRepoIds(db)) {
    const repo = await findDatasetById(db, id)
    if (repo === undefined) continue
    try {
      yield* checkRepo(store, repo)
    } catch (error) {
      // It was deleted meanwhile, and its tables with it.
      if ((await findDatasetById(db, id)) !== undefined) throw error
    }
  }
  for (const sha256 of await listLostReferences(db, 1000)) {
    yield { where: sha256, what: 'is noted for an item of no repository' }
  }
}
