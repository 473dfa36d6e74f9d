import * as z from 'zod/mini'
import type { Problem } from './errors.ts'
import { fieldNamePattern, fieldTypes, reservedFieldNames, type SchemaField } from './field.ts'
import { isKeepable, unkeepable } from './keepable-text.ts'
import { limits } from './limits.ts'
import { mimePattern } from './media-type.ts'
import { check, type Checked } from './problems.ts'
import { quote, unknownName } from './unknown-name.ts'

export const datasetName = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
      'must be 1 to 128 letters, digits, dots, underscores or hyphens, beginning with a letter or digit',
    ),
  )

export const fieldName = z.string().check(
  z.regex(
    fieldNamePattern,
    'must be 1 to 63 letters, digits or underscores, beginning with a letter or underscore',
  ),
  z.refine((name) => !reservedFieldNames.includes(name), 'is a reserved name'),
)

export const descriptionText = z
  .string()
  .check(z.maxLength(10_000, 'must be at most 10000 characters'), z.refine(isKeepable, unkeepable))

const shared = { name: fieldName, optional: z.optional(z.boolean()) }

/** The shape of a field of each type, as a description writes it. A new type is a new entry. */
export const fieldDescriptions = {
  string: z.strictObject({
    ...shared,
    type: z.literal('string'),
    length: z._default(
      z.int().check(z.minimum(1), z.maximum(limits.stringLength)),
      limits.stringLengthDefault,
    ),
  }),
  reference: z.strictObject({ ...shared, type: z.literal('reference'), target: datasetName }),
  binary: z.strictObject({
    ...shared,
    type: z.literal('binary'),
    mime: z
      .string()
      .check(z.regex(mimePattern, 'must be a media type such as image/png or image/*')),
  }),
}

const fieldDescription = z.discriminatedUnion('type', [
  fieldDescriptions.string,
  fieldDescriptions.reference,
  fieldDescriptions.binary,
])

/** What `POST /api/repo` takes (design.md §6). */
export const repoDescription = z.strictObject({
  name: datasetName,
  description: z.optional(descriptionText),
  schema: z.array(fieldDescription).check(z.minLength(1), z.maxLength(limits.fields)),
})
export type RepoDescription = { name: string; description?: string; schema: SchemaField[] }

/** Checks a parsed description; the value comes back in canonical form, its keys in one order. */
export function checkRepoDescription(input: unknown): Checked<RepoDescription> {
  const checked = check(repoDescription, input)
  if (!checked.ok) return { ok: false, problems: checked.problems.map((p) => explain(p, input)) }
  const { name, description, schema } = checked.value
  const problems = repeatedNames(schema.map((field) => field.name)).map((index) => ({
    path: ['schema', index, 'name'],
    reason: `the field ${quote(schema[index]!.name)} is there twice`,
  }))
  if (problems.length > 0) return { ok: false, problems }
  return {
    ok: true,
    value: {
      name,
      ...(description !== undefined && { description }),
      schema: schema.map(canonicalField),
    },
  }
}

/** The indexes at which a name stands that stood before. */
export function repeatedNames(names: readonly string[]): number[] {
  return names.flatMap((name, index) => (names.indexOf(name) < index ? [index] : []))
}

/** `optional: false` says nothing, so the canonical form leaves it out. */
function canonicalField(field: z.output<typeof fieldDescription>): SchemaField {
  const { optional, ...rest } = field
  return optional === true ? { ...rest, optional } : rest
}

const topKeys = Object.keys(repoDescription.shape)

/** Names what would have been valid where a key or a field type is unknown. */
function explain(problem: Problem, input: unknown): Problem {
  const key = String(problem.path.at(-1) ?? '')
  if (problem.reason.startsWith('unknown key')) {
    const valid = problem.path.length === 1 ? topKeys : keysOfField(input, problem.path[1])
    return unknownName(problem.path, 'key', key, valid)
  }
  if (problem.path.length === 3 && key === 'type') {
    const type = fieldAt(input, problem.path[1])?.['type']
    if (typeof type === 'string') return unknownName(problem.path, 'type', type, fieldTypes)
    return { ...problem, reason: `must be ${fieldTypes.join(' or ')}` }
  }
  return problem
}

function fieldAt(input: unknown, index: unknown): Record<string, unknown> | undefined {
  return (input as { schema?: Record<string, unknown>[] }).schema?.[Number(index)]
}

function keysOfField(input: unknown, index: unknown): string[] {
  const type = fieldAt(input, index)?.['type'] as keyof typeof fieldDescriptions
  return Object.keys(fieldDescriptions[type].shape)
}
