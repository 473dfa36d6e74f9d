import {
  baseOf,
  check,
  checkRepoDescription,
  checkView,
  quote,
  restoration,
  stateName,
  withSchemas,
  type DatasetInfo,
  type RepoDescription,
  type SchemaField,
  type ViewDescription,
} from '@vitrine/contract'
import { personOf } from '../access/identity.ts'
import { expectChecked, fail, failAt } from '../failure.ts'
import { writeAudit } from '../store/audit-log.ts'
import { findDataset, readDatasetInfo } from '../store/datasets.ts'
import { namesOfDatasets, putBack, type DeletedDataset } from '../store/deleted-datasets.ts'
import { addReferences } from '../store/extended-datasets.ts'
import { removeBeyondHead } from '../store/import-items.ts'
import { lockCatalogue } from '../store/leases.ts'
import type { Store, Transaction } from '../store/store.ts'
import type { Visibility } from '../store/visibility.ts'
import { requireDeleted, type Requester } from './remove-deleted.ts'

/** Items removed in one write. */
const removedAtOnce = 5000

/**
 * Takes a deleted dataset back, under its name or another one of the request. What it refers to must be there, and
 * may have another name by now.
 * @throws Failure REQUEST_INVALID, DELETED_NOT_FOUND, DELETED_NAME_TAKEN, DELETED_NEEDS_OTHERS naming them
 */
export async function restoreDataset(
  store: Store,
  id: number,
  {
    input,
    requester,
    visibility,
  }: { input: unknown; requester: Requester; visibility: Visibility },
): Promise<DatasetInfo> {
  const body = expectChecked('REQUEST_INVALID', check(restoration, input))
  // An import that the deletion ended may have left items that nobody has seen.
  const removeSome = async (transaction: Transaction) => {
    const { dataset, items: head } = await requireDeleted(transaction, id, requester)
    if (dataset.kind === 'view') return false
    return removeBeyondHead(transaction, { id, head, count: removedAtOnce })
  }
  while (await store.write(removeSome));
  return store.write(async (transaction) => {
    await lockCatalogue(transaction)
    const deleted = await requireDeleted(transaction, id, requester)
    const { dataset } = deleted
    const name = body.name ?? dataset.name
    await refuseNameInUse(transaction, name)
    const names = await readNames(transaction, deleted, name)
    const { definition, schema, targets } =
      dataset.kind === 'repo'
        ? renamedRepo(dataset.definition, names, deleted)
        : await renamedView(transaction, dataset.definition, names)
    await putBack(transaction, id, { definition, schema })
    await addReferences(transaction, id, targets)
    await writeAudit(transaction, {
      what: 'dataset-restored',
      by: personOf(requester.identity),
      dataset: { id, name, kind: dataset.kind },
      ...(name !== dataset.name && { details: { 'deleted as': dataset.name } }),
    })
    const restored = (await findDataset(transaction, name))!
    return readDatasetInfo(transaction, restored, visibility)
  })
}

async function refuseNameInUse(transaction: Transaction, name: string): Promise<void> {
  if ((await findDataset(transaction, name)) === undefined) return
  const reason = `${quote(name)} is the name of another dataset by now`
  throw failAt('DELETED_NAME_TAKEN', [{ path: ['name'], reason }])
}

/** By the names of then, those that a dataset and what it refers to have from now on. */
async function readNames(
  transaction: Transaction,
  { dataset, targets }: DeletedDataset,
  name: string,
): Promise<(before: string) => string> {
  const others = [...targets].filter(([, target]) => target !== dataset.id)
  const ids = others.map(([, target]) => target)
  const there = await namesOfDatasets(transaction, ids)
  const needs = others.flatMap(([before, target]) => (there.has(target) ? [] : [before]))
  if (needs.length > 0) throw fail('DELETED_NEEDS_OTHERS', { needs })
  const names = new Map(others.map(([before, target]) => [before, there.get(target)!]))
  names.set(dataset.name, name)
  return (before) => names.get(before) ?? before
}

type Renamed = {
  definition: RepoDescription | ViewDescription
  schema: readonly SchemaField[]
  targets: number[]
}

function renamedRepo(
  before: RepoDescription,
  nameOf: (before: string) => string,
  { targets }: DeletedDataset,
): Renamed {
  const schema = before.schema.map((field) =>
    field.type === 'reference' ? { ...field, target: nameOf(field.target) } : field,
  )
  const renamed = { ...before, name: nameOf(before.name), schema }
  const definition = expectChecked('REQUEST_INVALID', checkRepoDescription(renamed))
  return { definition, schema: definition.schema, targets: [...targets.values()] }
}

/** Renames a view, whose schema is derived anew: its base may have been extended since. */
async function renamedView(
  transaction: Transaction,
  before: ViewDescription,
  nameOf: (before: string) => string,
): Promise<Renamed> {
  const base = baseOf(before)
  const definition = {
    ...before,
    name: nameOf(before.name),
    base: stateName({ ...base, name: nameOf(base.name) }),
  }
  const { schema, referencesTo } = expectChecked(
    'REQUEST_INVALID',
    await withSchemas(
      (resolve) => checkView({ ...definition, description: undefined }, resolve, { isKept: true }),
      async (name) => (await findDataset(transaction, name))?.schema,
    ),
  )
  const targets: number[] = []
  // They are there: the check has read them, or a dataset that it has read refers to them.
  for (const name of referencesTo) targets.push((await findDataset(transaction, name))!.id)
  return { definition, schema, targets }
}
