import { setTimeout as sleep } from 'node:timers/promises'
import type { IntegrityByField } from '@vitrine/contract'
import { identityKey, type Identity } from '../access/identity.ts'
import { fail } from '../failure.ts'
import { referenceBlobs } from '../store/blobs.ts'
import type { Dataset } from '../store/datasets.ts'
import { endInsert, lockInsert, readInsertValues } from '../store/inserts.ts'
import { insertItem } from '../store/items.ts'
import { prepareOn } from '../store/prepare.ts'
import type { Db, Store } from '../store/store.ts'
import { requireIntegrity } from './require-integrity.ts'
import { holdRepo, requireRepo } from './require-insert.ts'
import type { DatasetReader } from '../reading/dataset-reader.ts'
import { everywhere, prepareRepoReads } from '../reading/plain-reads.ts'
import { catchUpTargets, requireTargets } from './require-targets.ts'

/**
 * Commits an insert: what was uploaded becomes an item, if it is what the caller signed off. The same
 * commit again changes nothing and succeeds. A refused insert stays open.
 *
 * @throws Failure REPO_OR_ITEM_NOT_FOUND, INSERT_EXPIRED, INSERT_COMMITTED, FIELD_NOT_IN_SCHEMA,
 *   DATA_NOT_CONFORMING, INTEGRITY_MISMATCH, OVERLOADED
 */
export async function commitInsert(
  { store, datasets }: { store: Store; datasets: DatasetReader },
  { repoName, itemId, identity }: { repoName: string; itemId: number; identity: Identity },
  integrity: IntegrityByField,
): Promise<{ id: number }> {
  await catchUpTargets(datasets, (await requireRepo(store.reads, repoName)).schema)
  return afterImports(() =>
    store.write(async (transaction) => {
      const repo = await holdRepo(transaction, repoName)
      if (repo.publishingImport !== null) throw new Publishing()
      const key = { datasetId: repo.id, itemId }
      const insert = await lockInsert(transaction, { ...key, createdBy: identityKey(identity) })
      if (insert === undefined) {
        await requireSameCommit(transaction, repo, itemId, integrity)
        return { id: itemId }
      }
      if (insert.isExpired) throw fail('INSERT_EXPIRED')
      const values = await readInsertValues(transaction, key, repo.schema)
      requireIntegrity(repo.schema, values, integrity)
      await requireTargets(transaction, datasets, repo.schema, values)

      await insertItem(transaction, repo, { id: itemId, values })
      const binaries = [...values.values()].filter(({ mime }) => mime !== undefined)
      await referenceBlobs(
        transaction,
        key,
        binaries.map(({ sha256 }) => sha256),
      )
      await endInsert(transaction, key)
      return { id: itemId }
    }),
  )
}

/** How long a commit waits for an import that is publishing its items, and how often it looks. */
const publishingMs = 60_000
const publishingPollMs = 25

/** The positions that follow are taken by an import; what meets this is done again after it. */
class Publishing extends Error {
  override name = 'Publishing'
}

async function afterImports<T>(commit: () => Promise<T>): Promise<T> {
  const givenUpAt = performance.now() + publishingMs
  for (;;) {
    try {
      return await commit()
    } catch (error) {
      if (!(error instanceof Publishing)) throw error
      if (performance.now() > givenUpAt) throw fail('OVERLOADED')
      await sleep(publishingPollMs)
    }
  }
}

/** A reply may have been lost, so a commit may come again. */
async function requireSameCommit(
  db: Db,
  repo: Dataset,
  itemId: number,
  integrity: IntegrityByField,
): Promise<void> {
  const item = await prepareRepoReads(prepareOn(db), repo).get({ itemId, to: everywhere })
  if (item === undefined) throw fail('REPO_OR_ITEM_NOT_FOUND')
  const committed = item.integrity ?? {}
  const names = Object.keys(integrity)
  const isSame =
    names.length === Object.keys(committed).length &&
    names.every((name) => committed[name]?.sha256 === integrity[name]?.sha256)
  if (!isSame) throw fail('INSERT_COMMITTED')
}
