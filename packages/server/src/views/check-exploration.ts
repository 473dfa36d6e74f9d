import { checkView, withSchemas, type CheckedView, type Exploration } from '@vitrine/contract'
import { expectChecked } from '../failure.ts'
import { findDataset } from '../store/datasets.ts'
import type { Db } from '../store/store.ts'

/**
 * What is asked of a dataset, as the view on it that it would be.
 * @throws Failure QUERY_INVALID, naming the place of each problem
 */
export async function checkExploration(
  db: Db,
  base: string,
  { where, order }: Exploration,
): Promise<CheckedView> {
  // A view has a name, and it is not that of its base.
  const name = base === 'explored' ? 'exploration' : 'explored'
  const written = {
    name,
    base,
    ...(where !== undefined && { where }),
    ...(order !== undefined && { order }),
  }
  const checked = await withSchemas(
    (resolve) => checkView(written, resolve),
    async (needed) => (await findDataset(db, needed))?.schema,
  )
  return expectChecked('QUERY_INVALID', checked)
}
