import * as z from 'zod/mini'
import { sha256Hex } from './digest.ts'
import type { Json } from '../values/canonical-json.ts'

/** An item's id: given when its insert begins, unique in its repository, kept by every view. */
export const itemId = z.int().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER))

/**
 * A text, a number, a truth value, a JSON value, the id of a referenced item, or the sha256 of a binary
 * (docs/value-types.md). A field left out is absent.
 */
export const itemValue = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.unknown()),
  z.record(z.string(), z.unknown()),
]) as unknown as z.ZodMiniType<ItemValue>
export type ItemValue = Exclude<Json, null>

export const item = z.object({
  id: itemId,
  data: z.record(z.string(), itemValue),
  /**
   * Lengths in code points of texts that the reply cuts off, by field. The value is the beginning, of JSON as a text.
   */
  cut: z.optional(z.record(z.string(), z.number())),
})
export type Item = z.infer<typeof item>

/** Seal of one value. */
export const seal = z.object({
  sha256: sha256Hex,
  /** Bytes of the value as it was sent. */
  size: z.number(),
  /** Media type of a binary value. */
  mime: z.optional(z.string()),
})
export type Seal = z.infer<typeof seal>

/** One item by itself: beside the specified shape, when it was committed and each value's seal. */
export const sealedItem = z.object({
  ...item.shape,
  createdAt: z.optional(z.string()),
  integrity: z.optional(z.record(z.string(), seal)),
})
export type SealedItem = z.infer<typeof sealedItem>

/** The ids of the items before and after one, in the order of its dataset or of what was asked for. */
export const itemNeighbours = z.object({ previous: z.optional(itemId), next: z.optional(itemId) })
export type ItemNeighbours = z.infer<typeof itemNeighbours>

export const itemCount = z.object({
  totalItems: z.number(),
  /** False where not all were counted: then there are at least so many. */
  exact: z.optional(z.boolean()),
})
export type ItemCount = z.infer<typeof itemCount>

export const insertBegun = z.object({
  id: itemId,
  /** When the insert lapses if nothing is sent (ISO 8601). */
  expiresAt: z.optional(z.string()),
})
export const insertUploaded = z.object({ fields: z.record(z.string(), seal) })
export const insertCommitted = z.object({ id: itemId })
