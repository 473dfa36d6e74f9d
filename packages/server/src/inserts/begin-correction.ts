import { type NewCorrection, unknownName } from '@vitrine/contract'
import type { Identity } from '../access/identity.ts'
import { failAt } from '../failure.ts'
import { beginInsert } from './begin-insert.ts'
import type { InsertContext } from './insert-context.ts'
import { type FindAccess, requireCorrectable } from './require-correctable.ts'
import { readStoredValues } from './stored-values.ts'

/**
 * Begins an insert whose item replaces another one. Values that are the same need not be uploaded: those of the fields in
 * `keep` are taken from the item that is replaced.
 * @throws Failure REPO_OR_ITEM_NOT_FOUND, FORBIDDEN, ITEM_REPLACED, FIELD_NOT_IN_SCHEMA, STORAGE_FULL
 */
export async function beginCorrection(
  context: InsertContext & { findAccess: FindAccess },
  { repoName, itemId, identity }: { repoName: string; itemId: number; identity: Identity },
  { reason, keep = [] }: NewCorrection,
): Promise<{ id: number; expiresAt: string }> {
  const { store, repos, findAccess } = context
  const repo = await repos.require(repoName)
  await requireCorrectable(store.reads, { repo, itemId, identity }, findAccess)
  const names = repo.schema.map(({ name }) => name)
  const problems = keep.flatMap((name, index) =>
    names.includes(name) ? [] : [unknownName(['keep', index], 'field', name, names)],
  )
  if (problems.length > 0) throw failAt('FIELD_NOT_IN_SCHEMA', problems)
  const values = await readStoredValues(store.reads, repo, itemId)
  const kept = new Map([...values].filter(([name]) => keep.includes(name)))
  return beginInsert(context, repoName, identity, { replaces: itemId, reason, kept })
}
