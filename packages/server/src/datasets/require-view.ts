import { checkView, unknownName, withSchemas, type CheckedView } from '@vitrine/contract'
import { expectChecked, failAt } from '../failure.ts'
import { findDataset, listDatasetNames } from '../store/datasets.ts'
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
    throw failAt('REQUEST_INVALID', [
      unknownName(['base'], 'dataset', name, await listDatasetNames(db)),
    ])
  }
  return expectChecked('REQUEST_INVALID', checked)
}
