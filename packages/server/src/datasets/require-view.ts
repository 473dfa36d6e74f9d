import {
  baseOf,
  checkView,
  quote,
  stateName,
  unknownName,
  withSchemas,
  type CheckedView,
  type ViewDescription,
} from '@vitrine/contract'
import { expectChecked, failAt } from '../failure.ts'
import { findDataset, listDatasetNames } from '../store/datasets.ts'
import { readDatasetState } from '../store/dataset-states.ts'
import type { Db } from '../store/store.ts'

/**
 * A view as described, where it makes sense on the datasets that are there.
 * @throws Failure REQUEST_INVALID, naming the place of each problem
 */
export async function requireView(db: Db, input: unknown): Promise<CheckedView> {
  const missing = new Set<string>()
  const checked = await withSchemas(
    (resolve) => checkView(input, resolve),
    async (name) => {
      const dataset = await findDataset(db, name)
      if (dataset === undefined) missing.add(name)
      return dataset?.schema
    },
  )
  const [name] = missing
  if (!checked.ok && name !== undefined) {
    // Only the base can be missing: what a reference leads to cannot be deleted.
    const { at } = baseOf(input as ViewDescription)
    const names = [name, ...(await listDatasetNames(db))]
    const [written, ...known] = names.map((each) =>
      stateName({ name: each, ...(at !== undefined && { at }) }),
    )
    throw failAt('REQUEST_INVALID', [unknownName(['base'], 'dataset', written!, known)])
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
