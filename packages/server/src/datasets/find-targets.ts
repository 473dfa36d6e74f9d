import { quote, unknownName, type Problem, type RepoDescription } from '@vitrine/contract'
import { failAt } from '../failure.ts'
import { listDatasetNames } from '../store/dataset-rows.ts'
import { findVisibleDataset, type Dataset } from '../store/datasets.ts'
import type { Db } from '../store/store.ts'
import type { Visibility } from '../store/visibility.ts'

/**
 * The ids of the datasets that the reference fields from an index on name; undefined is the described
 * repository itself.
 * @throws Failure REQUEST_INVALID
 */
export async function findTargets(
  db: Db,
  { name, schema }: RepoDescription,
  { visibility, from = 0 }: { visibility: Visibility; from?: number },
): Promise<(number | undefined)[]> {
  const targets: (number | undefined)[] = []
  const problems: Problem[] = []
  for (const [index, field] of schema.entries()) {
    if (field.type !== 'reference' || index < from) continue
    const { target } = field
    const dataset = target === name ? undefined : await findVisibleDataset(db, target, visibility)
    if (dataset === undefined && target !== name) {
      const path = ['schema', index, 'target']
      const names = [name, ...(await listDatasetNames(db, visibility))]
      problems.push(unknownName(path, 'dataset', target, names))
    }
    targets.push(dataset?.id)
  }
  if (problems.length > 0) throw failAt('REQUEST_INVALID', problems)
  return targets
}

/**
 * Refuses references to what refers to the repository itself: neither could be deleted any more.
 * @throws Failure REQUEST_INVALID
 */
export function refuseCircles(
  { name, schema }: RepoDescription,
  from: number,
  targets: readonly (number | undefined)[],
  dependents: readonly Dataset[],
): void {
  const references = schema.flatMap((field, index) =>
    field.type === 'reference' && index >= from ? [{ index, target: field.target }] : [],
  )
  const problems = references.flatMap(({ index, target }, at): Problem[] =>
    dependents.some(({ id }) => id === targets[at])
      ? [
          {
            path: ['schema', index, 'target'],
            reason: `${quote(target)} refers to ${quote(name)}, and two datasets that refer to each other could not be deleted`,
          },
        ]
      : [],
  )
  if (problems.length > 0) throw failAt('REQUEST_INVALID', problems)
}
