import * as z from 'zod/mini'

/** Somebody by whom something was done. */
export const person = z.object({
  /** What the provider of this installation knows the person by. */
  subject: z.string(),
  /** What to call the person, where the provider says so. */
  name: z.optional(z.string()),
})
export type Person = z.infer<typeof person>
