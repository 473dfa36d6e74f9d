import * as z from 'zod/mini'
import { stateInfo } from './dataset.ts'
import { atMax } from './dataset-state.ts'
import { item, itemId } from './item.ts'
import { limits } from '../limits.ts'
import { page } from './page.ts'
import { datasetChange } from './provenance.ts'
import { digits } from './query-text.ts'

const items = digits(0, atMax)

/** Two states of a dataset, by the items of its repository; now in place of the later one where that is left out. */
export const diffQuery = z
  .strictObject({
    ...page.shape,
    from: items,
    to: z.optional(items),
    cut: z.optional(digits(1, limits.cutMax)),
  })
  .check(
    z.refine(({ from, to }) => to === undefined || from <= to, {
      path: ['from'],
      error: 'must be at most to',
    }),
  )

/** An item that one of two states has. */
export const itemChange = z.object({
  /** `removed` items are still in their repository: what came later stands before them in a view with a limit. */
  change: z.enum(['added', 'removed']),
  item,
  /** Ids of the item that an added one corrects, and of that which it withdraws (docs/corrections.md). */
  replaces: z.optional(itemId),
  withdraws: z.optional(itemId),
})
export type ItemChange = z.infer<typeof itemChange>

/** Differences between two states of a dataset. */
export const datasetDiff = z.object({
  from: stateInfo,
  to: stateInfo,
  /** How many items only the later state has. */
  added: z.number(),
  /** How many items only the earlier state has. */
  removed: z.number(),
  /** A page of these items, in the order in which they were added to the repository. */
  changes: z.array(itemChange),
  /** Extensions of a repository between the states, newest first. */
  extensions: z.array(datasetChange),
})
export type DatasetDiff = z.infer<typeof datasetDiff>
