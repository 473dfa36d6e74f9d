import * as z from 'zod/mini'

/** Damage of a file or a value that a server keeps, found by reading it again or when somebody asked for it. */
export const damageEntry = z.object({
  /** Digest under which the value was sealed. */
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
