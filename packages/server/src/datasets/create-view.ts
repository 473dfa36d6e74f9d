import {
  checkViewDescription,
  inferViewFields,
  unknownName,
  type ViewDescription,
} from '@vitrine/contract'
import type { Identity } from '../auth/identity.ts'
import { expectChecked, failAt } from '../failure.ts'
import {
  findDataset,
  findDatasetById,
  insertDataset,
  listDatasetNames,
  readDatasetInfo,
} from '../store/datasets.ts'
import type { Store } from '../store/store.ts'
import type { Creation } from './creation.ts'
import { refuseTakenName } from './refuse-taken-name.ts'

/**
 * Creates a view from its description. The same definition under the same name changes nothing.
 * @throws Failure REQUEST_INVALID, VIEW_NAME_TAKEN with the existing dataset's info
 */
export function createView(
  store: Store,
  input: unknown,
  { issuer, subject }: Identity,
): Promise<Creation> {
  const description = expectChecked('REQUEST_INVALID', checkViewDescription(input))
  return store.write(async (transaction) => {
    const existing = await findDataset(transaction, description.name)
    if (existing !== undefined) {
      const same = existing.kind === 'view' && defines(existing.definition) === defines(description)
      if (!same) await refuseTakenName(transaction, 'VIEW_NAME_TAKEN', existing)
      return { created: false, info: await readDatasetInfo(transaction, existing) }
    }
    const base = await findDataset(transaction, description.base)
    if (base === undefined) {
      const names = await listDatasetNames(transaction)
      throw failAt('REQUEST_INVALID', [unknownName(['base'], 'dataset', description.base, names)])
    }
    const shown = expectChecked('REQUEST_INVALID', inferViewFields(description, base.schema))
    const schema = shown.map(({ field }) => field)
    const targets: number[] = [base.id]
    for (const field of schema) {
      if (field.type !== 'reference') continue
      // A referenced dataset cannot be deleted, and this reference is one of the base's.
      targets.push((await findDataset(transaction, field.target))!.id)
    }
    const id = await insertDataset(
      transaction,
      {
        kind: 'view',
        definition: description,
        schema,
        baseId: base.id,
        createdBy: `${issuer} ${subject}`,
      },
      () => targets,
    )
    const view = (await findDatasetById(transaction, id))!
    return { created: true, info: await readDatasetInfo(transaction, view) }
  })
}

/** What a definition says, without its name and its words for people. */
function defines({ base, fields }: ViewDescription): string {
  return JSON.stringify([base, fields])
}
