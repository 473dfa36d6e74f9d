import { identityKey, type Identity } from '../access/identity.ts'
import { fail } from '../failure.ts'
import { findDataset, type Dataset } from '../store/datasets.ts'
import { findImport, type ImportRow } from '../store/imports.ts'
import type { Db } from '../store/store.ts'

/** @throws Failure REPO_NOT_FOUND */
export async function requireRepoNamed(db: Db, name: string): Promise<Dataset> {
  const dataset = await findDataset(db, name)
  if (dataset?.kind !== 'repo') throw fail('REPO_NOT_FOUND')
  return dataset
}

/**
 * Finds an import of the person who asks.
 * @throws Failure IMPORT_NOT_FOUND, also for another person's
 */
export async function requireImport(
  db: Db,
  { repoName, key }: { repoName: string; key: string },
  identity: Identity,
): Promise<ImportRow> {
  const dataset = await findDataset(db, repoName)
  const row =
    dataset?.kind === 'repo'
      ? await findImport(db, { datasetId: dataset.id, createdBy: identityKey(identity), key })
      : undefined
  if (row === undefined) throw fail('IMPORT_NOT_FOUND')
  return row
}
