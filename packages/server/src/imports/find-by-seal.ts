import { limits } from '@vitrine/contract'
import { ItemSeals } from '../reading/item-seals.ts'
import { findMissing } from './resolve-needs.ts'
import type { ImportContext } from './import-context.ts'
import {
  sealKey,
  type FoundBySeal,
  type LookedUp,
  type SealedReference,
} from './rows/resolution.ts'

/**
 * Datasets of up to so many items are looked through for the item of a seal: there is no index over seals,
 * and what is found is kept for the blocks that follow.
 */
const soughtMax = 200_000

/** Prepares to find the items that sealed references lead to, for one import. */
export function prepareFindBySeal(context: ImportContext) {
  const seals = new ItemSeals(context)
  const indexes = new Map<string, ReadonlyMap<string, LookedUp> | undefined>()

  /** The item with the id where it has the seal, or else the only one that has it. */
  return async (
    target: string,
    references: ReadonlyMap<string, SealedReference>,
  ): Promise<Map<string, FoundBySeal>> => {
    const ids = new Set(Iterator.from(references.values()).map(({ id }) => id))
    const there = ids.difference(await findMissing(context, target, ids))
    const sealOf = await seals.of(target, there)
    const found = new Map<string, FoundBySeal>()
    for (const reference of references.values()) {
      const { id, seal } = reference
      if (there.has(id) && sealOf.get(id) === seal) {
        found.set(sealKey(reference), id)
        continue
      }
      if (!indexes.has(target)) indexes.set(target, await indexSeals(context, target, seals))
      const index = indexes.get(target)
      found.set(sealKey(reference), index === undefined ? 'unsought' : (index.get(seal) ?? 'none'))
    }
    return found
  }
}

/** The items of a dataset by their seals; undefined where they are too many. */
async function indexSeals(
  { datasets }: ImportContext,
  target: string,
  seals: ItemSeals,
): Promise<Map<string, LookedUp> | undefined> {
  const index = new Map<string, LookedUp>()
  const dataset = await datasets.find(target)
  if (dataset === undefined) return index
  await datasets.catchUp(dataset)
  const pageSize = limits.pageSizeMax
  for (let page = 0; page * pageSize < soughtMax; page += 1) {
    const { value: items } = await dataset.items.page({ page, pageSize })
    const ids = items.map(({ id }) => id)
    const sealOf = await seals.of(target, ids)
    for (const id of ids) {
      const seal = sealOf.get(id)!
      index.set(seal, index.has(seal) ? 'several' : id)
    }
    if (items.length < pageSize) return index
  }
  return undefined
}
