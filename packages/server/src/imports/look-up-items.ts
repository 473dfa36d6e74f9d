import { canonicalText, limits, textOf } from '@vitrine/contract'
import type { Lease } from '../store/leases.ts'
import type { ImportContext } from './import-context.ts'
import type { LookedUp } from './rows/resolution.ts'

/**
 * Finds the items of a dataset whose field has one of some values, and notes in `known` which item has
 * which: that with the very value, or else the one whose value is the same text composed otherwise (Unicode's NFC).
 * There is no index over any field, so it goes through the dataset once, for all values of a block
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
  const alike = new Map<string, LookedUp>()
  const byForm = Map.groupBy(values, (value) => value.normalize('NFC'))
  const add = (found: Map<string, LookedUp>, value: string, id: number) =>
    found.set(value, found.has(value) ? 'several' : id)
  const exact = new Map<string, LookedUp>()
  await datasets.catchUp(dataset)
  const pageSize = limits.pageSizeMax
  for (let page = 0; ; page += 1) {
    lease.check()
    const { value: items } = await dataset.items.page({ page, pageSize })
    for (const { id, data } of items) {
      const found = data[by]
      if (found === undefined) continue
      const text = canonicalText(field, found)
      for (const value of byForm.get(text.normalize('NFC')) ?? []) {
        add(value === text ? exact : alike, value, id)
      }
    }
    if (items.length < pageSize) break
    await new Promise(setImmediate)
  }
  for (const value of values) known.set(value, exact.get(value) ?? alike.get(value) ?? 'none')
  return true
}
