import * as z from 'zod/mini'
import { schemaField } from '../repo/field.ts'
import { item } from './item.ts'

/** Items left after one clause of a view, in the order in which clauses are applied. */
export const previewStep = z.object({
  /** Keys and indexes that lead to the clause in the description. */
  at: z.array(z.union([z.string(), z.number()])),
  clause: z.enum(['base', 'current', 'where', 'split', 'limit']),
  /** Items of the base that this clause and all before it let through. */
  count: z.number(),
  /** Whether that is all of them; otherwise there are at least so many. */
  exact: z.boolean(),
})
export type PreviewStep = z.infer<typeof previewStep>

/** Preview of a view. On a large base not all items are looked at: `exact` tells. */
export const viewPreview = z.object({
  schema: z.array(schemaField),
  /** The first ones; of a view in an order, as long as not all were looked at, of those that were. */
  items: z.array(item),
  totalItems: z.number(),
  /** Whether all items that matter were looked at; otherwise items and counts are of a part. */
  exact: z.boolean(),
  /** Items of the repository that were looked at, the first ones; asked again, a preview goes on. */
  scanned: z.number(),
  /** Items of the repository. */
  total: z.optional(z.number()),
  /** How many items each clause lets through: where it falls to 0 is why a view is empty. */
  funnel: z.array(previewStep),
  /** Number of kept items, by cast field, whose text is no value of its type. */
  unparsed: z.optional(z.array(z.object({ field: z.string(), count: z.number() }))),
})
export type ViewPreview = z.infer<typeof viewPreview>
