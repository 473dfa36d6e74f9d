import * as z from 'zod/mini'
import { limits } from './limits.ts'

export const fieldNamePattern = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/
export const reservedFieldNames: readonly string[] = ['id', 'createdAt', '__proto__']

export const fieldTypes = ['string', 'reference', 'binary'] as const
export type FieldType = (typeof fieldTypes)[number]

const named = { name: z.string(), optional: z.optional(z.boolean()) }

export const stringField = z.object({
  ...named,
  type: z.literal('string'),
  /** The most code points a value may have. */
  length: z.int().check(z.minimum(1), z.maximum(limits.stringLength)),
})
export const referenceField = z.object({
  ...named,
  type: z.literal('reference'),
  /** The dataset whose item ids are the values. */
  target: z.string(),
})
export const binaryField = z.object({
  ...named,
  type: z.literal('binary'),
  /** The media type of a value, or `type/*`. */
  mime: z.string(),
})

/** One field of a schema (specification §3). */
export const schemaField = z.discriminatedUnion('type', [stringField, referenceField, binaryField])
export type SchemaField = z.infer<typeof schemaField>
export type StringField = z.infer<typeof stringField>
export type ReferenceField = z.infer<typeof referenceField>
export type BinaryField = z.infer<typeof binaryField>

/** A field as another server may describe it: the web app shows what it does not know as such. */
export const shownField = z.object({
  name: z.string(),
  type: z.string(),
  length: z.optional(z.number()),
  target: z.optional(z.string()),
  mime: z.optional(z.string()),
  optional: z.optional(z.boolean()),
})
export type ShownField = z.infer<typeof shownField>
