import { checkViewDescription, type ViewDescription } from '@vitrine/contract'
import { personOf, type Identity } from '../access/identity.ts'
import { expectChecked } from '../failure.ts'
import { writeAudit } from '../store/audit-log.ts'
import { findDataset, findDatasetById, insertDataset, readDatasetInfo } from '../store/datasets.ts'
import { lockCatalogue } from '../store/leases.ts'
import type { Store } from '../store/store.ts'
import type { Creation } from './creation.ts'
import { refuseTakenName } from './refuse-taken-name.ts'
import { requireView } from './require-view.ts'

/**
 * Creates a view from its description. The same definition under the same name changes nothing.
 * @throws Failure REQUEST_INVALID, VIEW_NAME_TAKEN with the existing dataset's info
 */
export async function createView(
  store: Store,
  input: unknown,
  identity: Identity,
): Promise<Creation> {
  const checked = checkViewDescription(input)
  // Where its base is known, more can be said of what is wrong.
  if (!checked.ok) await requireView(store.reads, input)
  const description = expectChecked('REQUEST_INVALID', checked)
  return store.write(async (transaction) => {
    await lockCatalogue(transaction)
    const existing = await findDataset(transaction, description.name)
    if (existing !== undefined) {
      const same = existing.kind === 'view' && defines(existing.definition) === defines(description)
      if (!same) await refuseTakenName(transaction, 'VIEW_NAME_TAKEN', existing)
      return { created: false, info: await readDatasetInfo(transaction, existing) }
    }
    const view = await requireView(transaction, input)
    const idOf = new Map<string, number>()
    // They are there: the check has read them, or a dataset that it has read refers to them.
    for (const name of view.referencesTo) {
      idOf.set(name, (await findDataset(transaction, name))!.id)
    }
    const person = personOf(identity)
    const id = await insertDataset(
      transaction,
      {
        kind: 'view',
        definition: view.description,
        schema: view.schema,
        baseId: idOf.get(view.base.name)!,
        createdBy: person.key,
      },
      () => [...idOf.values()],
    )
    const { name, base } = description
    await writeAudit(transaction, {
      what: 'dataset-created',
      by: person,
      dataset: { id, name, kind: 'view' },
      details: { base },
    })
    const created = (await findDatasetById(transaction, id))!
    return { created: true, info: await readDatasetInfo(transaction, created) }
  })
}

/** The definition without its name and description. */
function defines({ base, where, split, order, limit, fields }: ViewDescription): string {
  return JSON.stringify([base, where, split, order, limit, fields])
}
