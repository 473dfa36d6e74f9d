import { type DatasetInfo, checkRepoDescription, quote } from '@vitrine/contract'
import { type Identity, personOf } from '../access/identity.ts'
import { expectChecked, Failure } from '../failure.ts'
import { writeAudit } from '../store/audit-log.ts'
import {
  type Dataset,
  findDataset,
  findDatasetById,
  insertDataset,
  readDatasetInfo,
} from '../store/datasets.ts'
import { createItemTable } from '../store/items.ts'
import { lockCatalogue } from '../store/leases.ts'
import type { Db, Store } from '../store/store.ts'
import { findTargets } from './find-targets.ts'

/**
 * Creates a repository from its description. The same schema under the same name changes nothing.
 * @throws Failure REQUEST_INVALID, REPO_NAME_TAKEN with the existing dataset's info
 */
export function createRepo(store: Store, input: unknown, identity: Identity): Promise<Creation> {
  const description = expectChecked('REQUEST_INVALID', checkRepoDescription(input))
  const { name, schema } = description
  return store.write(async (transaction) => {
    await lockCatalogue(transaction)
    const existing = await findDataset(transaction, name)
    if (existing !== undefined) {
      const same =
        existing.kind === 'repo' && JSON.stringify(existing.schema) === JSON.stringify(schema)
      if (!same) await refuseTakenName(transaction, 'REPO_NAME_TAKEN', existing)
      return { created: false, info: await readDatasetInfo(transaction, existing) }
    }
    const targets = await findTargets(transaction, description)
    const person = personOf(identity)
    const id = await insertDataset(
      transaction,
      {
        kind: 'repo',
        definition: description,
        schema,
        baseId: null,
        createdBy: person.key,
      },
      (self) => targets.map((target) => target ?? self),
    )
    await createItemTable(transaction, { id, schema })
    const dataset = { id, name, kind: 'repo' as const }
    await writeAudit(transaction, { what: 'dataset-created', by: person, dataset })
    const repo = (await findDatasetById(transaction, id))!
    return { created: true, info: await readDatasetInfo(transaction, repo) }
  })
}

const kinds = { repo: 'a repository', view: 'a view' }

/** Repositories and views share one namespace, so a name may be taken by the other kind. */
export async function refuseTakenName(
  db: Db,
  code: 'REPO_NAME_TAKEN' | 'VIEW_NAME_TAKEN',
  existing: Dataset,
): Promise<never> {
  const reason = `${quote(existing.name)} is the name of ${kinds[existing.kind]} with another definition`
  throw new Failure(code, {
    details: { problems: [{ path: ['name'], reason }] },
    existing: await readDatasetInfo(db, existing),
  })
}

/** The result of a creation: whether the dataset is new, and its info. */
export type Creation = { created: boolean; info: DatasetInfo }
