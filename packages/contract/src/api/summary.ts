import * as z from 'zod/mini'
import { itemValue } from './item.ts'
import { scanProgress } from './scan-progress.ts'

/** Values from a bound on, the other one left out; a bound beyond what the type holds is not there. */
const bin = z.object({
  from: z.optional(itemValue),
  to: z.optional(itemValue),
  count: z.number(),
})

/** Measures of values: lengths of texts in code points, sizes of binaries in bytes. */
const measure = z.object({
  least: z.number(),
  greatest: z.number(),
  mean: z.number(),
  histogram: z.array(z.object({ from: z.number(), to: z.number(), count: z.number() })),
})

/** Summary of the values of one field (docs/summaries.md). */
export const fieldSummary = z.object({
  name: z.string(),
  type: z.string(),
  /** Items with a value, and items without. */
  present: z.number(),
  missing: z.number(),
  /** How many values are different; an estimate within 2 % where `estimated` is true. */
  distinct: z.number(),
  /** True where not every value was counted: of the commonest there are at least so many. */
  estimated: z.optional(z.boolean()),
  /** How many more of each there are then at most. */
  uncounted: z.optional(z.number()),
  /** At most 20, the commonest first; of a long text its beginning, which `cut` says. */
  commonest: z.array(
    z.object({ value: itemValue, count: z.number(), cut: z.optional(z.boolean()) }),
  ),
  /** Least value of numbers, dates, timestamps and texts; the beginning of a long text. */
  least: z.optional(itemValue),
  greatest: z.optional(itemValue),
  /** Mean of what is measured, as a value of the type: of integers, a number. */
  mean: z.optional(itemValue),
  /** Histogram of numbers, dates and timestamps: at most 40 bins with round bounds, from the least to the greatest. */
  histogram: z.optional(z.array(bin)),
  lengths: z.optional(measure),
  bytes: z.optional(z.object({ ...measure.shape, total: z.number() })),
  /** The 20 commonest media types of binaries. */
  mediaTypes: z.optional(z.array(z.object({ mime: z.string(), count: z.number() }))),
})
export type FieldSummary = z.infer<typeof fieldSummary>

export const datasetSummary = z.object({
  /** Items that it covers. */
  items: z.number(),
  /** Whether these are all. Otherwise so many of the items of the repository were looked at. */
  exact: z.boolean(),
  ...z.partial(scanProgress).shape,
  fields: z.array(fieldSummary),
})
export type DatasetSummary = z.infer<typeof datasetSummary>
