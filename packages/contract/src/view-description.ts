import * as z from 'zod/mini'
import type { Problem } from './errors.ts'
import { limits } from './limits.ts'
import { check, quote, unknownName, type Checked } from './problems.ts'
import { datasetName, descriptionText, fieldName, repeatedNames } from './repo-description.ts'

const pickedField = z.union([z.string(), z.strictObject({ name: fieldName, from: z.string() })])

const exceptFields = z.strictObject({ except: z.array(z.string()).check(z.minLength(1)) })

/** What `POST /api/view` takes (design.md §6). */
export const viewDescription = z.strictObject({
  name: datasetName,
  base: datasetName,
  description: z.optional(descriptionText),
  fields: z.optional(
    z.union([z.array(pickedField).check(z.minLength(1), z.maxLength(limits.fields)), exceptFields]),
  ),
})

export type PickedField = { name: string; from: string }
export type ViewDescription = {
  name: string
  base: string
  description?: string
  /** Left out: every field of the base. */
  fields?: PickedField[] | { except: string[] }
}

const viewKeys = Object.keys(viewDescription.shape)

/** Clauses of the view language (design.md §6) that this version does not evaluate. */
const laterClauses = ['where', 'split', 'order', 'limit']

/** Checks a parsed description; the value comes back in canonical form, its keys in one order. */
export function checkViewDescription(input: unknown): Checked<ViewDescription> {
  const checked = check(viewDescription, input)
  if (!checked.ok) return { ok: false, problems: checked.problems.map(explain) }
  const { name, base, description, fields } = checked.value
  const picked = Array.isArray(fields)
    ? fields.map((field) => (typeof field === 'string' ? { name: field, from: field } : field))
    : fields
  const names = Array.isArray(picked) ? picked.map((field) => field.name) : (picked?.except ?? [])
  const problems: Problem[] = repeatedNames(names).map((index) => ({
    path: Array.isArray(picked) ? ['fields', index] : ['fields', 'except', index],
    reason: `the field ${quote(names[index]!)} is there twice`,
  }))
  if (problems.length > 0) return { ok: false, problems }
  return {
    ok: true,
    value: {
      name,
      base,
      ...(description !== undefined && { description }),
      ...(picked !== undefined && { fields: picked }),
    },
  }
}

function explain(problem: Problem): Problem {
  if (!problem.reason.startsWith('unknown key')) return problem
  const key = String(problem.path.at(-1))
  if (problem.path.length > 1) {
    return unknownName(problem.path, 'key', key, ['name', 'from', 'except'])
  }
  if (laterClauses.includes(key)) {
    return { path: problem.path, reason: `the clause ${quote(key)} is not supported yet` }
  }
  return unknownName(problem.path, 'key', key, viewKeys)
}
