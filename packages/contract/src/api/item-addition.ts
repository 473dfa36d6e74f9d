import * as z from 'zod/mini'
import { integrityByField } from './digest.ts'
import { errorBody } from './errors.ts'
import { importKey } from './import.ts'
import { itemId } from './item.ts'
import { limits } from '../limits.ts'

/** `key` is what the sender calls the addition: the same request again, after a lost reply, is the same item. */
export const itemAddQuery = z.strictObject({ key: importKey })

/** One item of several: what its sender calls it, its values as a form would have them, and their digests. */
export const itemAddition = z.strictObject({
  key: importKey,
  values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  integrity: integrityByField,
})
export type ItemAddition = z.infer<typeof itemAddition>

export const itemAdditions = z.strictObject({
  items: z.array(itemAddition).check(z.minLength(1), z.maxLength(limits.addedItems)),
})

/** Result of each item, in the order in which they were sent. */
export const itemsAdded = z.object({
  items: z.array(z.union([z.object({ id: itemId }), z.object({ error: errorBody })])),
})
export type ItemsAdded = z.infer<typeof itemsAdded>
