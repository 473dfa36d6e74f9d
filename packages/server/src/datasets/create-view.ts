import {
  type CheckedView,
  type ViewDescription,
  type ViewPreview,
  baseOf,
  checkView,
  checkViewDescription,
  quote,
  stateName,
  unknownName,
  withSchemas,
} from '@vitrine/contract'
import { type Author, personOf } from '../access/identity.ts'
import { expectChecked, failAt } from '../failure.ts'
import { writeAudit } from '../store/audit-log.ts'
import {
  findDataset,
  findDatasetById,
  findVisibleDataset,
  insertDataset,
  readDatasetInfo,
} from '../store/datasets.ts'
import { listDatasetNames } from '../store/dataset-rows.ts'
import { lockCatalogue } from '../store/leases.ts'
import type { Db, Store } from '../store/store.ts'
import type { Visibility } from '../store/visibility.ts'
import { type Creation, findExisting } from './create-repo.ts'
import type { DatasetReader } from '../reading/dataset-reader.ts'
import { readDatasetState } from '../store/dataset-states.ts'

/**
 * Creates a view from its description. The same definition under the same name changes nothing.
 * @throws Failure REQUEST_INVALID, VIEW_NAME_TAKEN with the existing dataset's info
 */
export async function createView(
  store: Store,
  input: unknown,
  { identity, visibility }: Author,
): Promise<Creation> {
  const checked = checkViewDescription(input)
  // Where its base is known, more can be said of what is wrong.
  if (!checked.ok) await requireView(store.reads, { input, visibility })
  const description = expectChecked('REQUEST_INVALID', checked)
  return store.write(async (transaction) => {
    await lockCatalogue(transaction)
    const existing = await findExisting(transaction, {
      name: description.name,
      visibility,
      code: 'VIEW_NAME_TAKEN',
      isSame: (other) =>
        other.kind === 'view' && defines(other.definition) === defines(description),
    })
    if (existing !== undefined) return { created: false, info: existing }
    const view = await requireView(transaction, { input, visibility })
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
    return { created: true, info: await readDatasetInfo(transaction, created, visibility) }
  })
}

/** The definition without its name and description. */
function defines({ base, current, where, split, order, limit, fields }: ViewDescription): string {
  return JSON.stringify([base, current, where, split, order, limit, fields])
}

/**
 * Previews a view by its description, without creating it.
 * @throws Failure REQUEST_INVALID
 */
export async function previewView(
  { reads }: Store,
  datasets: DatasetReader,
  described: Described,
): Promise<ViewPreview> {
  for (;;) {
    const preview = await datasets.preview(await requireView(reads, described))
    // A dataset that it needs may have been deleted since the check, which the next one finds.
    if (preview !== undefined) return preview
  }
}

/** Description of a view, and the datasets that whoever wrote it may read. */
type Described = { input: unknown; visibility: Visibility }

/**
 * A view as described, where it makes sense on the datasets that are there.
 * @throws Failure REQUEST_INVALID, naming the place of each problem
 */
async function requireView(db: Db, { input, visibility }: Described): Promise<CheckedView> {
  const missing = new Set<string>()
  const checked = await withSchemas(
    (resolve) => checkView(input, resolve),
    async (name) => {
      const dataset = await findVisibleDataset(db, name, visibility)
      if (dataset === undefined) missing.add(name)
      return dataset?.schema
    },
  )
  const [name] = missing
  // What a reference leads to cannot be deleted, and may be hidden: that is told where the path stands.
  if (!checked.ok && name !== undefined && name === baseOf(input as ViewDescription).name) {
    const { at } = baseOf(input as ViewDescription)
    const names = [name, ...(await listDatasetNames(db, visibility))]
    const [written, ...ancestors] = names.map((each) =>
      stateName({ name: each, ...(at !== undefined && { at }) }),
    )
    throw failAt('REQUEST_INVALID', [unknownName(['base'], 'dataset', written!, ancestors)])
  }
  const view = expectChecked('REQUEST_INVALID', checked)
  await requireBaseState(db, view)
  return view
}

async function requireBaseState(db: Db, { base: { name, at } }: CheckedView): Promise<void> {
  if (at === undefined) return
  const state = await readDatasetState(db, name, at)
  if (state === undefined || at <= state.size) return
  const { repo, size } = state
  const reason = `${quote(repo)} has ${size} ${size === 1 ? 'item' : 'items'}, and has not had ${at}`
  throw failAt('REQUEST_INVALID', [{ path: ['base'], reason }])
}
