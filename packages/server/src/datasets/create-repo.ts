import { type DatasetInfo, checkRepoDescription, quote } from '@vitrine/contract'
import { type Author, personOf } from '../access/identity.ts'
import { expectChecked, failAt, Failure } from '../failure.ts'
import { writeAudit } from '../store/audit-log.ts'
import {
  type Dataset,
  findDataset,
  findDatasetById,
  findVisibleDataset,
  insertDataset,
  readDatasetInfo,
} from '../store/datasets.ts'
import { createItemTable } from '../store/items.ts'
import { lockCatalogue } from '../store/leases.ts'
import type { Db, Store } from '../store/store.ts'
import type { Visibility } from '../store/visibility.ts'
import { findTargets } from './find-targets.ts'

/**
 * Creates a repository from its description. The same schema under the same name changes nothing.
 * @throws Failure REQUEST_INVALID, REPO_NAME_TAKEN with the existing dataset's info
 */
export function createRepo(
  store: Store,
  input: unknown,
  { identity, visibility }: Author,
): Promise<Creation> {
  const description = expectChecked('REQUEST_INVALID', checkRepoDescription(input))
  const { name, schema } = description
  return store.write(async (transaction) => {
    await lockCatalogue(transaction)
    const existing = await findExisting(transaction, {
      name,
      visibility,
      code: 'REPO_NAME_TAKEN',
      isSame: (other) =>
        other.kind === 'repo' && JSON.stringify(other.schema) === JSON.stringify(schema),
    })
    if (existing !== undefined) return { created: false, info: existing }
    const targets = await findTargets(transaction, description, { visibility })
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
    return { created: true, info: await readDatasetInfo(transaction, repo, visibility) }
  })
}

const kinds = { repo: 'a repository', view: 'a view' }

/**
 * Finds the dataset of a name that is to be created, where it is the same one. Repositories and views share one
 * namespace, so a name may be taken by the other kind. Of what somebody may not read no more is told than that.
 * @throws Failure `code`, with the existing dataset's info
 */
export async function findExisting(
  db: Db,
  {
    name,
    visibility,
    code,
    isSame,
  }: {
    name: string
    visibility: Visibility
    code: 'REPO_NAME_TAKEN' | 'VIEW_NAME_TAKEN'
    isSame: (existing: Dataset) => boolean
  },
): Promise<DatasetInfo | undefined> {
  const existing = await findDataset(db, name)
  if (existing === undefined) return undefined
  if ((await findVisibleDataset(db, name, visibility)) === undefined) {
    const reason = `${quote(name)} is the name of another dataset`
    throw failAt(code, [{ path: ['name'], reason }])
  }
  const info = await readDatasetInfo(db, existing, visibility)
  if (isSame(existing)) return info
  const reason = `${quote(name)} is the name of ${kinds[existing.kind]} with another definition`
  throw new Failure(code, { details: { problems: [{ path: ['name'], reason }] }, existing: info })
}

/** The result of a creation: whether the dataset is new, and its info. */
export type Creation = { created: boolean; info: DatasetInfo }
