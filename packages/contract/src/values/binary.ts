import { mimeMatches, mimePattern } from './media-type.ts'
import type { FieldOf, TypeDefinition } from './type-definition.ts'

export type BinaryField = FieldOf<'binary'> & {
  /** The media type of a value, or `type/*`. */
  mime: string
}

/** In JSON a value is the sha256 of its bytes. */
export const binary: TypeDefinition<BinaryField, string> = {
  noun: 'a binary',
  summary: 'a file of a media type',
  description: (z) => ({
    mime: z
      .string()
      .check(z.regex(mimePattern, 'must be a media type such as image/png or image/*')),
  }),
  shape: (z) => ({ mime: z.string() }),
  changes: (before, after) => {
    if (before.mime === after.mime) return []
    const change = `media type ${after.mime} instead of ${before.mime}`
    return mimeMatches(after.mime, before.mime)
      ? [{ change }]
      : [{ change, reason: 'values may be of another media type' }]
  },
  isOrdered: false,
  inferred: undefined,
  scale: undefined,
  operandInput: {},
  operators: ['empty', 'sha256', 'mime', 'bytes'],
}
