import type { IntegrityByField } from '@vitrine/contract'
import { fail } from '../failure.ts'
import { referenceBlobs } from '../store/blobs.ts'
import type { Dataset } from '../store/datasets.ts'
import { endInsert, findInsert, readInsertValues } from '../store/inserts.ts'
import { insertItem, layOutFields, readItems } from '../store/items.ts'
import { prepareOn } from '../store/prepare.ts'
import type { Db, Store } from '../store/store.ts'
import { requireIntegrity } from './require-integrity.ts'
import { requireRepo } from './require-insert.ts'
import { requireTargets } from './require-targets.ts'

/**
 * Commits an insert: what was uploaded becomes an item, if it is what the caller signed off. The same
 * commit again changes nothing and succeeds. A refused insert stays open.
 *
 * @throws Failure REPO_OR_ITEM_NOT_FOUND, INSERT_EXPIRED, INSERT_COMMITTED, FIELD_NOT_IN_SCHEMA,
 *   DATA_NOT_CONFORMING, INTEGRITY_MISMATCH
 */
export function commitInsert(
  store: Store,
  { repoName, itemId }: { repoName: string; itemId: number },
  integrity: IntegrityByField,
): Promise<{ id: number }> {
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
    await requireTargets(transaction, repo.schema, values)

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
  const item = await readItems(prepareOn(db), repo.id, layOutFields(repo.schema)).get(itemId)
  if (item === undefined) throw fail('REPO_OR_ITEM_NOT_FOUND')
  const committed = item.integrity ?? {}
  const names = Object.keys(integrity)
  const isSame =
    names.length === Object.keys(committed).length &&
    names.every((name) => committed[name]?.sha256 === integrity[name]?.sha256)
  if (!isSame) throw fail('INSERT_COMMITTED')
}
