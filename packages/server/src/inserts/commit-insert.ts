import type { IntegrityByField } from '@vitrine/contract'
import { identityKey, type Author } from '../access/identity.ts'
import { fail } from '../failure.ts'
import type { DatasetReader } from '../reading/dataset-reader.ts'
import { concurrencyKeyOf, endInsert, lockInsert, readInsertValues } from '../store/inserts.ts'
import { afterImports, holdForItem } from './after-imports.ts'
import { becomeItem } from './become-item.ts'
import type { InsertContext } from './insert-context.ts'
import type { Transaction } from '../store/store.ts'
import { listHiddenTargets } from '../store/visibility.ts'
import { requireIntegrity } from './require-integrity.ts'
import { requireSameCommit } from './require-same-commit.ts'
import { catchUpTargets } from './require-targets.ts'

/**
 * Commits an insert: what was uploaded becomes an item, if it is what the caller signed off. The same
 * commit again changes nothing and succeeds. A refused insert stays open.
 *
 * @throws Failure REPO_OR_ITEM_NOT_FOUND, INSERT_EXPIRED, INSERT_COMMITTED, FIELD_NOT_IN_SCHEMA,
 *   DATA_NOT_CONFORMING, INTEGRITY_MISMATCH, OVERLOADED
 */
export async function commitInsert(
  { store, repos, datasets }: Pick<InsertContext, 'store' | 'repos'> & { datasets: DatasetReader },
  { repoName, itemId, identity, visibility }: Author & { repoName: string; itemId: number },
  integrity: IntegrityByField,
): Promise<{ id: number }> {
  const { id: datasetId, schema } = await repos.require(repoName)
  await catchUpTargets(datasets, schema)
  const hidden = await listHiddenTargets(store.reads, schema, visibility)
  const commit = async (transaction: Transaction) => {
    const repo = await holdForItem(transaction, repos, repoName)
    const key = { datasetId: repo.id, itemId, createdBy: identityKey(identity) }
    const insert = await lockInsert(transaction, key)
    if (insert === undefined) {
      await requireSameCommit(transaction, repo, itemId, integrity)
      return { id: itemId }
    }
    if (insert.isExpired) throw fail('INSERT_EXPIRED')
    const values = await readInsertValues(transaction, key, repo.schema)
    requireIntegrity(repo.schema, values, integrity)
    await becomeItem(
      transaction,
      { datasets, repo, hidden },
      { id: itemId, values, author: key.createdBy },
    )
    await endInsert(transaction, key)
    return { id: itemId }
  }
  const concurrencyKey = concurrencyKeyOf({ datasetId, itemId })
  return afterImports(() => store.write(commit, { concurrencyKey }))
}
