import * as z from 'zod/mini'

/** Somebody by whom something was done. */
export const person = z.object({
  /** Identifier of the person at the provider of this installation. */
  subject: z.string(),
  /** Display name, where the provider has one. */
  name: z.optional(z.string()),
})
export type Person = z.infer<typeof person>
