import * as z from 'zod/mini'
import { auditEntry } from './audit.ts'
import { person } from './replies.ts'

/** The log that items come from which were imported from a bundle, as whoever imported them says. */
const origin = z.object({
  /** The origin of its checkpoint, and how many entries it had. */
  origin: z.string(),
  size: z.number(),
  /** The verifier key that has signed the checkpoint. */
  key: z.string(),
})

/** Origin of an item, with its entry in the log it comes from. */
export const itemOrigin = z.extend(origin, {
  id: z.number(),
  createdAt: z.string(),
  /** The subject of whoever added it there. */
  by: z.optional(z.string()),
})
export type ItemOrigin = z.infer<typeof itemOrigin>

/** Who added an item; nothing is known of items that are older than that is kept. */
export const itemAuthor = z.object({ author: z.optional(person), origin: z.optional(itemOrigin) })

/** Something that was done to a dataset since it was made, as the audit log has it. */
export const datasetChange = z.pick(auditEntry, {
  number: true,
  at: true,
  what: true,
  by: true,
  details: true,
})
export type DatasetChange = z.infer<typeof datasetChange>

/** Who made a dataset, and what was done to it since, newest first. */
export const provenance = z.object({
  createdBy: person,
  changes: z.optional(z.array(datasetChange)),
  /** Logs that items of a repository come from, where they were imported from bundles. */
  origins: z.optional(z.array(z.extend(origin, { checkpoint: z.string(), items: z.number() }))),
})
export type Provenance = z.infer<typeof provenance>
