import * as z from 'zod/mini'
import { type SchemaField, fieldTypes, valueTypes } from '../values/index.ts'
import { zodParts } from '../zod-parts.ts'

export type { FieldType, SchemaField } from '../values/index.ts'
export type { BinaryField } from '../values/binary.ts'
export type { ReferenceField } from '../values/reference.ts'
export type { StringField } from '../values/string.ts'

export const fieldNamePattern = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/
export const reservedFieldNames: readonly string[] = ['id', 'createdAt', '__proto__']

const fieldShapes = fieldTypes.map((type) =>
  z.object({
    name: z.string(),
    type: z.literal(type),
    ...valueTypes[type].shape?.(zodParts),
    optional: z.optional(z.boolean()),
  }),
)

/** One field of a schema (docs/value-types.md). */
export const schemaField = z.discriminatedUnion(
  'type',
  fieldShapes as [(typeof fieldShapes)[number]],
) as unknown as z.ZodMiniType<SchemaField>

/** A field as another server may describe it: the web app shows what it does not know as such. */
export const shownField = z.object({
  name: z.string(),
  type: z.string(),
  length: z.optional(z.number()),
  choices: z.optional(z.array(z.string())),
  target: z.optional(z.string()),
  mime: z.optional(z.string()),
  optional: z.optional(z.boolean()),
})
export type ShownField = z.infer<typeof shownField>
