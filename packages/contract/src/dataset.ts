import * as z from 'zod/mini'
import { shownField } from './field.ts'

/** A moment as ISO 8601 in UTC, milliseconds. */
const createdAt = z.string()

export const datasetEntry = z.object({ name: z.string(), createdAt })
export type DatasetEntry = z.infer<typeof datasetEntry>

export const repoEntry = z.object({ name: z.string(), createdAt })
export type RepoEntry = z.infer<typeof repoEntry>

export const viewEntry = z.object({ name: z.string(), base: z.string(), createdAt })
export type ViewEntry = z.infer<typeof viewEntry>

/** Everything that is known of one dataset. */
export const datasetInfo = z.object({
  name: z.string(),
  createdAt,
  description: z.optional(z.string()),
  schema: z.array(shownField),
  /** Present only for views: the definition, in canonical form. */
  view: z.optional(z.looseObject({ base: z.string() })),
  /** Present only for repositories: the description, in canonical form. */
  repo: z.optional(z.looseObject({})),
  referencesTo: z.array(z.string()),
  referencedBy: z.array(z.string()),
})
export type DatasetInfo = z.infer<typeof datasetInfo>
