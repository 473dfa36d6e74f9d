import * as z from 'zod/mini'
import { type CastType, castField, castsOf, castTypes } from './cast.ts'
import type { Problem } from '../api/errors.ts'
import type { SchemaField } from '../repo/field.ts'
import { limits } from '../limits.ts'
import { type Path, isRowField } from './path.ts'
import { fieldName, repeatedNames } from '../repo/repo-description.ts'
import type { Scope } from './scope.ts'
import { quote, unknownName } from '../problems.ts'
import { describeType } from '../values/index.ts'
import { choicesDescription, choicesProblems } from '../values/string.ts'
import { zodParts } from '../zod-parts.ts'

export const pickedMapping = z.strictObject({
  name: fieldName,
  from: z.string(),
  as: z.optional(z.string()),
  choices: z.optional(choicesDescription(zodParts)),
})

const pickedField = z.union(
  [z.string(), pickedMapping],
  'must be a field, or a mapping with name and from',
)

export const exceptFields = z.strictObject({ except: z.array(z.string()).check(z.minLength(1)) })

/** The fields of a view: a list of those to show, or those of the base to leave out. */
export const fieldsDescription = z.union(
  [z.array(pickedField).check(z.minLength(1)), exceptFields],
  'must be a list of fields, or a mapping with except',
)
export type FieldsDescription = z.output<typeof fieldsDescription>

/** A field to show, the path from the base that it shows, and what its values are cast to. */
export type PickedField = {
  name: string
  from: string
  as?: string | undefined
  /** With `as: string`: the only texts that are no missing values, in their order. */
  choices?: string[] | undefined
}

/**
 * One field of a view: as its schema declares it, where its value is found from the base, and whether it is
 * cast from the type that it has there.
 */
export type ViewField = { field: SchemaField; path: Path; isCast?: true }

/** Reads the fields of a view, reporting what is wrong with them; `base` where its schema is known. */
export function readFields(
  written: FieldsDescription | undefined,
  base: readonly SchemaField[] | undefined,
  scope: Scope,
): ViewField[] {
  if (Array.isArray(written)) return readPicked(written, scope)
  const except = written?.except ?? []
  for (const index of repeatedNames(except)) {
    const reason = `the field ${quote(except[index]!)} is there twice`
    scope.report({ path: ['fields', 'except', index], reason })
  }
  if (base === undefined) return []
  const names = base.map(({ name }) => name)
  for (const [index, name] of except.entries()) {
    if (!names.includes(name)) {
      scope.report(unknownName(['fields', 'except', index], 'field', name, names))
    }
  }
  const rest = base.filter(({ name }) => !except.includes(name))
  if (rest.length === 0) scope.report({ path: ['fields', 'except'], reason: 'leaves no field' })
  return rest.map((field) => ({
    field,
    path: { text: field.name, steps: [], field, optional: field.optional === true },
  }))
}

function readPicked(
  written: readonly (string | PickedField)[],
  { path: find, report }: Scope,
): ViewField[] {
  const names = written.map((each) => (typeof each === 'string' ? each : each.name))
  if (names.length > limits.fields) {
    report({ path: ['fields'], reason: `must have at most ${limits.fields} entries` })
  }
  const repeated = new Set(repeatedNames(names))
  return written.flatMap((each, index) => {
    const plain = typeof each === 'string'
    const at = ['fields', index]
    const name = names[index]!
    const from = plain ? each : each.from
    if (repeated.has(index)) {
      report({
        path: plain ? at : [...at, 'name'],
        reason: `the field ${quote(name)} is there twice`,
      })
    }
    if (plain && from.includes('.')) {
      const called = from.slice(from.lastIndexOf('.') + 1)
      report({
        path: at,
        reason: `a followed field needs a name, such as { name: ${called}, from: ${from} }`,
      })
      return []
    }
    const as = plain ? undefined : readAs(each, at, report)
    const path = find(from, plain ? at : [...at, 'from'])
    if (path === undefined) return []
    const field = shown(name, path)
    if (field === undefined) {
      report({
        path: plain ? at : [...at, 'from'],
        reason: `every item shows its id and createdAt by itself; ${quote(from)} is no field`,
      })
      return []
    }
    if (as === undefined) return [{ field, path }]
    const reason = noCast(field, as, from)
    if (reason !== undefined) report({ path: [...at, 'as'], reason })
    return reason === undefined ? [{ field: castField(name, field, as), path, isCast: true }] : []
  })
}

type Cast = { as: CastType; choices?: readonly string[] | undefined }

/** Reads what a field is cast to, by itself. */
function readAs(
  { as, choices }: PickedField,
  at: Problem['path'],
  report: Scope['report'],
): Cast | undefined {
  if (choices !== undefined && as !== 'string') {
    report({ path: [...at, 'choices'], reason: 'only goes with as: string' })
  }
  for (const { reason } of choicesProblems(choices ?? [], limits.stringLength)) {
    report({ path: [...at, 'choices'], reason })
  }
  if (as === undefined) return undefined
  const type = castTypes.find((each) => each === as)
  if (type === undefined) report(unknownName([...at, 'as'], 'type', as, castTypes))
  return type && { as: type, choices }
}

function noCast({ type }: SchemaField, { as, choices }: Cast, from: string): string | undefined {
  if (type === as && choices === undefined) return `${quote(from)} is ${describeType(type)} already`
  const fitting: readonly string[] = castsOf(type)
  if (fitting.includes(as) || (type === as && as === 'string')) return undefined
  const others = fitting.length === 0 ? 'nothing' : fitting.join(', ')
  return `${quote(from)} is ${describeType(type)}, which is cast to ${others}`
}

/** Field at the end of a path, under a new name: a reference stays a link, a binary keeps its media type. */
function shown(name: string, { field, optional }: Path): SchemaField | undefined {
  if (isRowField(field)) return undefined
  return { ...field, name, ...(optional && { optional }) }
}
