import * as z from 'zod/mini'

/** One difference between two descriptions of a repository. */
export const repoChange = z.object({
  /** The field that differs; left out of what concerns the repository. */
  field: z.optional(z.string()),
  /** Phrase that says what is other than before: `length 200 instead of 100`. */
  change: z.string(),
  /** Why the repository cannot be extended so; left out of what it can be. */
  reason: z.optional(z.string()),
})
export type RepoChange = z.infer<typeof repoChange>

/** Writes a difference as a sentence without a full stop: `title: length 5 instead of 100; values may be longer`. */
export function changeText({ field, change, reason }: RepoChange): string {
  const what = field === undefined ? change : `${field}: ${change}`
  return reason === undefined ? what : `${what}; ${reason}`
}
