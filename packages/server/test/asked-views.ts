import { baseOf, type ViewDescription } from '@vitrine/contract'
import type { SampleDataset, World } from '../../contract/test/sample-world.ts'
import type { SampleStore } from './sample-store.ts'

/** Explores a base, or a state of it, by the clauses of a view. */
export async function explore(
  sample: SampleStore,
  view: ViewDescription,
  { at = Infinity, current = false }: { at?: number; current?: boolean } = {},
) {
  const { where, order } = view
  const { name, at: baseAt = Infinity } = baseOf(view)
  const state = Math.min(at, baseAt)
  const dataset = (await sample.datasets.find(name, state === Infinity ? undefined : state))!
  const asked = { where, order, current }
  return (await sample.datasets.explorations.find(dataset, asked, 'all'))!
}

/** The view on the same base that has only the clauses that can be explored. */
export function askedBy({ base, where, order }: ViewDescription): SampleDataset {
  const view = { name: 'asked', base, ...(where && { where }), ...(order && { order }) }
  return { name: 'asked', view }
}

/** The ids of all items of a dataset's repository, and some that are of none. */
export function idsBelow(world: World, name: string): number[] {
  const dataset = world.find((each) => each.name === name)!
  if ('view' in dataset) return idsBelow(world, baseOf(dataset.view).name)
  const ids = dataset.items.map(({ id }) => id)
  return [...ids, Math.max(0, ...ids) + 1]
}
