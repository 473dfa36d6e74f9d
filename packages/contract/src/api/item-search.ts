import * as z from 'zod/mini'
import { itemId } from './item.ts'
import { limits } from '../limits.ts'

/** Asks for items of all repositories by what their texts are, or begin with. */
export const itemSearchQuery = z.strictObject({
  q: z._default(
    z
      .string()
      .check(z.maxLength(limits.searchLength, `must be at most ${limits.searchLength} characters`))
      .register(z.globalRegistry, {
        description: 'A text, or its beginning; case and accents make no difference',
        examples: ['Ulm'],
      }),
    '',
  ),
})

/** An item with what tells it from others. */
const foundItem = z.object({
  /** Its repository. */
  dataset: z.string(),
  id: itemId,
  /** Left out where the item has no text of its own, but an address or the like. */
  label: z.optional(z.string()),
  /** The field whose text was looked for, and the beginning of that. */
  match: z.object({ field: z.string(), text: z.string() }),
  /** The values of two other fields, those of references by their labels. */
  about: z.array(z.union([z.string(), z.number(), z.boolean()])),
})
export type FoundItem = z.infer<typeof foundItem>

/** At most ten: labels before other texts, whole ones before beginnings. */
export const foundItems = z.object({
  items: z.array(foundItem),
  /** False where there was no time to look at all items. */
  exact: z.boolean(),
})
export type FoundItems = z.infer<typeof foundItems>
