import { canonicalText, limits, textOf } from '@vitrine/contract'
import type { Lease } from '../store/lease.ts'
import type { ImportContext } from './import-context.ts'
import type { LookedUp } from './rows/resolution.ts'

/**
 * Finds the items of a dataset whose field has one of some values, and notes in `known` which item has
 * which. There is no index over any field, so it goes through the dataset once, for all values of a block
 * together.
 * @returns whether the dataset has such a field
 */
export async function lookUpItems(
  { datasets }: Pick<ImportContext, 'datasets'>,
  {
    target,
    by,
    values,
    known,
    lease,
  }: {
    target: string
    by: string
    values: ReadonlySet<string>
    known: Map<string, LookedUp>
    lease: Lease
  },
): Promise<boolean> {
  const dataset = await datasets.find(target)
  const field = dataset?.schema.find(({ name }) => name === by)
  if (dataset === undefined || field === undefined || textOf(field) === undefined) return false
  if (values.size === 0) return true
  for (const value of values) known.set(value, 'none')
  await datasets.catchUp(dataset)
  const pageSize = limits.pageSizeMax
  for (let page = 0; ; page += 1) {
    lease.check()
    const { value: items } = await dataset.items.page({ page, pageSize })
    for (const { id, data } of items) {
      const found = data[by]
      if (found === undefined) continue
      const value = canonicalText(field, found)
      if (values.has(value)) known.set(value, known.get(value) === 'none' ? id : 'several')
    }
    if (items.length < pageSize) return true
    await new Promise(setImmediate)
  }
}
