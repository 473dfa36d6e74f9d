import * as z from 'zod/mini'
import { shownField } from '../repo/field.ts'

/** A moment as ISO 8601 in UTC, milliseconds. */
const createdAt = z.string()

export const datasetEntry = z.object({ name: z.string(), createdAt })
export type DatasetEntry = z.infer<typeof datasetEntry>

export const repoEntry = z.object({ name: z.string(), createdAt })
export type RepoEntry = z.infer<typeof repoEntry>

export const viewEntry = z.object({ name: z.string(), base: z.string(), createdAt })
export type ViewEntry = z.infer<typeof viewEntry>

/** A state of a dataset, and the repository by whose items states are counted. */
export const stateInfo = z.object({
  /** How many items the repository had. */
  at: z.number(),
  repo: z.string(),
  /** How many it has now. */
  size: z.number(),
  /** When the last of the `at` items was added. */
  createdAt: z.optional(createdAt),
})
export type StateInfo = z.infer<typeof stateInfo>

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
  /** Present only where items of its repository were replaced or withdrawn (docs/corrections.md). */
  hasReplacements: z.optional(z.literal(true)),
  /** Present only where a state was asked for. */
  state: z.optional(stateInfo),
})
export type DatasetInfo = z.infer<typeof datasetInfo>
