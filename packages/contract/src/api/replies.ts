import * as z from 'zod/mini'

/** How many of the items of a dataset were there at some moments, the first and the last among them. */
export const datasetGrowth = z.object({
  /** At most 50, in the order in which the items were added. */
  points: z.array(z.object({ items: z.number(), at: z.string() })),
})
export type DatasetGrowth = z.infer<typeof datasetGrowth>

/** Damage of a file or a value that a server keeps, found by reading it again or when somebody asked for it. */
export const damageEntry = z.object({
  /** Digest under which the value was sealed; of one in the database its first 8 digits, and zeros. */
  sha256: z.string(),
  /** Size of a file when it was sealed, in bytes. */
  size: z.optional(z.number()),
  /** Such as `its bytes are missing`. */
  what: z.string(),
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
  /** The values of committed items that are damaged; the first 100 of those whose bytes are in a file. */
  values: z.array(z.object({ dataset: z.string(), item: z.number(), field: z.string() })),
})
export type DamageEntry = z.infer<typeof damageEntry>

/** Somebody by whom something was done. */
export const person = z.object({
  /** Identifier of the person at the provider of this installation. */
  subject: z.string(),
  /** Display name, where the provider has one. */
  name: z.optional(z.string()),
})
export type Person = z.infer<typeof person>
