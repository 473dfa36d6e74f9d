import {
  checkView,
  checkViewDescription,
  unknownName,
  withSchemas,
  type CheckedView,
  type Problem,
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
    const view = expectChecked(
      'REQUEST_INVALID',
      await withSchemas(
        (resolve) => checkView(input, resolve),
        async (name) => (await findDataset(transaction, name))?.schema,
      ),
    )
    const unread = clausesNotRead(view)
    if (unread.length > 0) throw failAt('REQUEST_INVALID', unread)
    const { schema } = view
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
    const created = (await findDatasetById(transaction, id))!
    return { created: true, info: await readDatasetInfo(transaction, created) }
  })
}

/** What a definition says, without its name and its words for people. */
function defines({ base, where, split, order, limit, fields }: ViewDescription): string {
  return JSON.stringify([base, where, split, order, limit, fields])
}

/** Clauses that are understood and that items are not read by yet. */
function clausesNotRead({ description, fields }: CheckedView): Problem[] {
  const clauses = (['where', 'split', 'order', 'limit'] as const).filter(
    (clause) => description[clause] !== undefined,
  )
  const problems: Problem[] = clauses.map((clause) => ({
    path: [clause],
    reason: `the clause "${clause}" is not supported yet`,
    atKey: true,
  }))
  for (const [index, { path }] of fields.entries()) {
    if (path.steps.length === 0) continue
    const reason = `the path "${path.text}" follows a reference, which is not supported yet`
    problems.push({ path: ['fields', index], reason })
  }
  return problems
}
