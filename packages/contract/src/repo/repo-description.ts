import * as z from 'zod/mini'
import type { Problem } from '../api/errors.ts'
import { fieldNamePattern, reservedFieldNames } from './field.ts'
import { limits } from '../limits.ts'
import { datasetNamePattern, datasetNameReason } from './names.ts'
import { type Checked, check, quote, unknownName } from '../problems.ts'
import { type RepoMetadata, metadataOf, metadataProblems, repoMetadata } from './repo-metadata.ts'
import {
  type FieldType,
  type SchemaField,
  fieldTypes,
  typeOf,
  valueTypes,
} from '../values/index.ts'
import { zodParts } from '../zod-parts.ts'

export const datasetName = z.string().check(z.regex(datasetNamePattern, datasetNameReason))

export const fieldName = z.string().check(
  z.regex(
    fieldNamePattern,
    'must be 1 to 63 letters, digits or underscores, beginning with a letter or underscore',
  ),
  z.refine((name) => !reservedFieldNames.includes(name), 'is a reserved name'),
)

/** The shape of a field of each type, as a description writes it. */
export const fieldDescriptions = Object.fromEntries(
  fieldTypes.map((type) => [type, describedField(type)]),
) as Record<FieldType, ReturnType<typeof describedField>>

function describedField(type: FieldType) {
  return z.strictObject({
    name: fieldName,
    optional: z.optional(z.boolean()),
    type: z.literal(type),
    ...valueTypes[type].description?.(zodParts),
  })
}

const fieldDescription = z.discriminatedUnion(
  'type',
  Object.values(fieldDescriptions) as [ReturnType<typeof describedField>],
)

/** The description that `POST /api/repo` and `PATCH /api/repo/{name}` take. */
export const repoDescription = z.strictObject({
  name: datasetName,
  ...repoMetadata,
  schema: z.array(fieldDescription).check(z.minLength(1), z.maxLength(limits.fields)),
})
export type RepoDescription = { name: string } & RepoMetadata & { schema: SchemaField[] }

/** Checks a parsed description; the value comes back in canonical form, its keys in one order. */
export function checkRepoDescription(input: unknown): Checked<RepoDescription> {
  const checked = check(repoDescription, input)
  if (!checked.ok) return { ok: false, problems: checked.problems.map((p) => explain(p, input)) }
  const { name, schema } = checked.value
  const metadata = metadataOf(checked.value)
  const names = schema.map((field) => field.name)
  const problems: Problem[] = repeatedNames(names).map((index) => ({
    path: ['schema', index, 'name'],
    reason: `the field ${quote(names[index]!)} is there twice`,
  }))
  const fields = schema.map(canonicalField)
  for (const [index, field] of fields.entries()) {
    for (const { key, reason } of typeOf(field).problems?.(field) ?? []) {
      problems.push({ path: ['schema', index, key], reason })
    }
  }
  problems.push(...metadataProblems(metadata, fields))
  if (problems.length > 0) return { ok: false, problems }
  return { ok: true, value: { name, ...metadata, schema: fields } }
}

/** The indexes at which a name stands that stood before. */
export function repeatedNames(names: readonly string[]): number[] {
  return names.flatMap((name, index) => (names.indexOf(name) < index ? [index] : []))
}

/** `optional: false` says nothing, so the canonical form leaves it out. */
function canonicalField(field: z.output<typeof fieldDescription>): SchemaField {
  const { optional, ...rest } = field
  return (optional === true ? { ...rest, optional } : rest) as SchemaField
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
    return { ...problem, reason: `must be one of ${fieldTypes.join(', ')}` }
  }
  return problem
}

function fieldAt(input: unknown, index: unknown): Record<string, unknown> | undefined {
  return (input as { schema?: Record<string, unknown>[] }).schema?.[Number(index)]
}

function keysOfField(input: unknown, index: unknown): string[] {
  const type = fieldAt(input, index)?.['type'] as FieldType
  return Object.keys(fieldDescriptions[type].shape)
}
