import * as z from 'zod/mini'

/** How many of the items of a dataset were there at some moments, the first and the last among them. */
export const datasetGrowth = z.object({
  /** At most 50, in the order in which the items were added. */
  points: z.array(z.object({ items: z.number(), at: z.string() })),
})
export type DatasetGrowth = z.infer<typeof datasetGrowth>

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

/**
 * Header of a page or count that was asked for with `partial=true` and is a part: `120000/3000000` when
 * the view has looked at so many of so many items. What was found stays.
 */
export const progressHeader = 'vitrine-scanned'

/** How many of the items of its repository a view has looked at; fewer than all until it is ready. */
export const scanProgress = z.object({ scanned: z.number(), total: z.number() })
export type ScanProgress = z.infer<typeof scanProgress>

/** Reads the header; undefined where there is none, or one that says something else. */
export function readProgress(header: string | null): ScanProgress | undefined {
  const [, scanned, total] = /^(\d{1,15})\/(\d{1,15})$/.exec(header ?? '') ?? []
  if (scanned === undefined || total === undefined) return undefined
  return { scanned: Number(scanned), total: Number(total) }
}

const partial = z.pipe(
  z.enum(['true', 'false'], 'must be true or false').register(z.globalRegistry, {
    description:
      'Whether what a view has found so far will do; the header `vitrine-scanned` then says how far it ' +
      'has looked. Otherwise the answer is whole, or 503 `VIEW_NOT_READY`',
  }),
  z.transform((text) => text === 'true'),
)

/** Asks for a part of an answer rather than to wait for all; of a server that announces `partial`. */
export const partially = z.strictObject({ partial: z.optional(partial) })

/** Somebody by whom something was done. */
export const person = z.object({
  /** Identifier of the person at the provider of this installation. */
  subject: z.string(),
  /** Display name, where the provider has one. */
  name: z.optional(z.string()),
})
export type Person = z.infer<typeof person>
