import * as z from 'zod/mini'

/** How many of the items of a dataset were there at some moments, the first and the last among them. */
export const datasetGrowth = z.object({
  /** At most 50, in the order in which the items were added. */
  points: z.array(z.object({ items: z.number(), at: z.string() })),
})
export type DatasetGrowth = z.infer<typeof datasetGrowth>
