import { checkRepoDescription } from '@vitrine/contract'
import { personOf, type Identity } from '../access/identity.ts'
import { expectChecked } from '../failure.ts'
import { writeAudit } from '../store/audit-log.ts'
import { findDataset, findDatasetById, insertDataset, readDatasetInfo } from '../store/datasets.ts'
import { createItemTable } from '../store/items.ts'
import { lockCatalogue } from '../store/leases.ts'
import type { Store } from '../store/store.ts'
import type { Creation } from './creation.ts'
import { findTargets } from './find-targets.ts'
import { refuseTakenName } from './refuse-taken-name.ts'

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
