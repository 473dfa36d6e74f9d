import type { IntegrityByField } from '@vitrine/contract'
import { identityKey, type Author } from '../access/identity.ts'
import { fail, failAt } from '../failure.ts'
import type { DatasetReader } from '../reading/dataset-reader.ts'
import type { StoredValue } from '../store/items.ts'
import { concurrencyKeyOf, endInsert, lockInsert, readInsertValues } from '../store/inserts.ts'
import { afterImports, holdForItem } from './after-imports.ts'
import { becomeItem } from './become-item.ts'
import type { InsertContext } from './insert-context.ts'
import { type Corrected, type FindAccess, requireCorrectable } from './require-correctable.ts'
import { readStoredValues } from './stored-values.ts'
import type { Transaction } from '../store/store.ts'
import { listHiddenTargets } from '../store/visibility.ts'
import { requireIntegrity } from './require-integrity.ts'
import { requireSameCommit } from './require-same-commit.ts'
import { catchUpTargets, requireTargets } from './require-targets.ts'

/**
 * Commits an insert: what was uploaded becomes an item, if it is what the caller signed off. The same
 * commit again changes nothing and succeeds. A refused insert stays open.
 *
 * @throws Failure REPO_OR_ITEM_NOT_FOUND, INSERT_EXPIRED, INSERT_COMMITTED, FIELD_NOT_IN_SCHEMA,
 *   DATA_NOT_CONFORMING, INTEGRITY_MISMATCH, OVERLOADED; of a correction FORBIDDEN, ITEM_REPLACED
 */
export async function commitInsert(
  {
    store,
    repos,
    datasets,
    findAccess,
  }: Pick<InsertContext, 'store' | 'repos'> & { datasets: DatasetReader; findAccess: FindAccess },
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
    const correction = insert.correction && { ...insert.correction, withdraws: false }
    const sent =
      correction === undefined
        ? values
        : await requireChanges(
            transaction,
            { repo, itemId: correction.replaces, identity, values },
            (who, name) => findAccess(who, name, transaction),
          )
    await requireTargets(transaction, datasets, { schema: repo.schema, values: sent, hidden })
    await becomeItem(transaction, repo, {
      id: itemId,
      values,
      author: key.createdBy,
      correction,
    })
    await endInsert(transaction, key)
    return { id: itemId }
  }
  const concurrencyKey = concurrencyKeyOf({ datasetId, itemId })
  return afterImports(() => store.write(commit, { concurrencyKey }))
}

/**
 * Returns the values of a correction that are not those of the item that it replaces. One that has no others is
 * refused, unless it brings back what was withdrawn.
 */
async function requireChanges(
  transaction: Transaction,
  { values, ...corrected }: Corrected & { values: ReadonlyMap<string, StoredValue> },
  findAccess: FindAccess,
): Promise<ReadonlyMap<string, StoredValue>> {
  const { withdraws } = await requireCorrectable(transaction, corrected, findAccess)
  const before = await readStoredValues(transaction, corrected.repo, corrected.itemId)
  const changed = new Map(
    [...values].filter(([name, { sha256, mime }]) => {
      const value = before.get(name)
      return value?.sha256 !== sha256 || value.mime !== mime
    }),
  )
  if (changed.size === 0 && values.size === before.size && !withdraws) {
    const reason = 'no value is another one than in the item that is corrected'
    throw failAt('REQUEST_INVALID', [{ path: [], reason }])
  }
  return changed
}
