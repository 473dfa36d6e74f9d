import type { IntegrityByField } from '@vitrine/contract'
import { fail } from '../failure.ts'
import { referenceBlobs } from '../store/blobs.ts'
import type { Dataset } from '../store/datasets.ts'
import { endInsert, findInsert, readInsertValues } from '../store/inserts.ts'
import { insertItem } from '../store/items.ts'
import { prepareOn } from '../store/prepare.ts'
import type { Db, Store } from '../store/store.ts'
import { requireIntegrity } from './require-integrity.ts'
import { requireRepo } from './require-insert.ts'
import type { Datasets } from '../views/datasets.ts'
import { everywhere, prepareRepoReads } from '../views/plain-reads.ts'
import { catchUpTargets, requireTargets } from './require-targets.ts'

/**
 * Commits an insert: what was uploaded becomes an item, if it is what the caller signed off. The same
 * commit again changes nothing and succeeds. A refused insert stays open.
 *
 * @throws Failure REPO_OR_ITEM_NOT_FOUND, INSERT_EXPIRED, INSERT_COMMITTED, FIELD_NOT_IN_SCHEMA,
 *   DATA_NOT_CONFORMING, INTEGRITY_MISMATCH, OVERLOADED
 */
export async function commitInsert(
  { store, datasets }: { store: Store; datasets: Datasets },
  { repoName, itemId }: { repoName: string; itemId: number },
  integrity: IntegrityByField,
): Promise<{ id: number }> {
  await catchUpTargets(datasets, (await requireRepo(store.reads, repoName)).schema)
  return store.write(async (transaction) => {
    const repo = await requireRepo(transaction, repoName)
    const key = { datasetId: repo.id, itemId }
    const insert = await findInsert(transaction, key)
    if (insert === undefined) {
      await requireSameCommit(transaction, repo, itemId, integrity)
      return { id: itemId }
    }
    if (insert.isExpired) throw fail('INSERT_EXPIRED')
    const values = await readInsertValues(transaction, key)
    requireIntegrity(repo.schema, values, integrity)
    await requireTargets(transaction, datasets, repo.schema, values)

    await insertItem(transaction, repo, { id: itemId, values })
    const digests = [...values.values()].filter(({ type }) => type === 'binary')
    await referenceBlobs(
      transaction,
      key,
      digests.map(({ sha256 }) => sha256),
    )
    await endInsert(transaction, key)
    return { id: itemId }
  })
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
