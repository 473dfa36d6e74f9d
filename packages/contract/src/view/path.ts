import { type ReferenceField, type SchemaField, fieldNamePattern } from '../repo/field.ts'
import { limits } from '../limits.ts'
import { nearest } from '../text/nearest.ts'
import { quote } from '../problems.ts'
import { describeType } from '../values/index.ts'

/** Column of every item beside its fields: its id, and when it was committed. */
export type RowField = { name: 'id'; type: 'id' } | { name: 'createdAt'; type: 'createdAt' }

export const rowFields: readonly RowField[] = [
  { name: 'id', type: 'id' },
  { name: 'createdAt', type: 'createdAt' },
]

export function isRowField(field: SchemaField | RowField): field is RowField {
  return field.type === 'id' || field.type === 'createdAt'
}

/** The schema of a dataset, a repository or a view; undefined when there is none of that name. */
export type Resolve = (dataset: string) => readonly SchemaField[] | undefined

/**
 * A value found from an item: the references to follow, in order, and the field of the last one's
 * target. It is missing when a reference on the way or the field itself is missing. A reference
 * finds its item by id, whether or not the `limit` of its target has since pushed that item out.
 */
export type Path = {
  /** Path as it is written: names joined by dots. */
  text: string
  /** Each a field of the dataset before it; its `target` is the dataset that comes next. */
  steps: ReferenceField[]
  /** The field at the end, as the dataset that it stands in declares it. */
  field: SchemaField | RowField
  /** Whether the value can be missing. */
  optional: boolean
}

export type ResolvedPath =
  { ok: true; path: Path } | { ok: false; reason: string; nearest?: string | undefined }

/** Why a text is no path, if it is none. */
export function pathSyntax(text: string): string | undefined {
  const names = text.split('.')
  if (names.length - 1 > limits.pathSteps) {
    return `a path follows at most ${limits.pathSteps} references`
  }
  return names.every((name) => fieldNamePattern.test(name) && name !== '__proto__')
    ? undefined
    : `${quote(text)} is no field and no path of fields joined by dots`
}

/** Follows a path through the references of a dataset, several datasets far. */
export function resolvePath(text: string, dataset: string, resolve: Resolve): ResolvedPath {
  const syntax = pathSyntax(text)
  if (syntax !== undefined) return { ok: false, reason: syntax }
  const names = text.split('.')
  const steps: ReferenceField[] = []
  for (const [index, name] of names.entries()) {
    const from = steps.at(-1)?.target ?? dataset
    const fields = fieldsOf(from, resolve)
    if (fields === undefined) return { ok: false, reason: `there is no dataset ${quote(from)}` }
    const field = fields.find((each) => each.name === name)
    if (field === undefined) {
      return unknownField(names, index, { dataset: from, fields })
    }
    if (index === names.length - 1) {
      const optional = [...steps, field].some((each) => 'optional' in each && each.optional)
      return { ok: true, path: { text, steps, field, optional } }
    }
    if (field.type !== 'reference') return notFollowed(names, index, field)
    steps.push(field)
  }
  return { ok: false, reason: `${quote(text)} names no field` }
}

/**
 * The fields that can stand after the references of a path, for completion: of the dataset itself
 * when there are none. Undefined when the path cannot be followed.
 */
export function fieldsAlong(
  references: readonly string[],
  dataset: string,
  resolve: Resolve,
): (SchemaField | RowField)[] | undefined {
  let at = dataset
  for (const name of references) {
    const field = resolve(at)?.find((each) => each.name === name)
    if (field?.type !== 'reference') return undefined
    at = field.target
  }
  return fieldsOf(at, resolve)
}

function fieldsOf(dataset: string, resolve: Resolve): (SchemaField | RowField)[] | undefined {
  const schema = resolve(dataset)
  return schema === undefined ? undefined : [...schema, ...rowFields]
}

function unknownField(
  names: readonly string[],
  index: number,
  { dataset, fields }: { dataset: string; fields: readonly (SchemaField | RowField)[] },
): ResolvedPath {
  const fieldNames = fields.map(({ name }) => name)
  const near = nearest(names[index]!, fieldNames)
  const reason = `unknown field ${quote(names.slice(0, index + 1).join('.'))}`
  if (near === undefined) {
    return { ok: false, reason: `${reason}; ${quote(dataset)} has ${enumerate(fieldNames)}` }
  }
  const meant = names.with(index, near)
  return {
    ok: false,
    reason: `${reason}; did you mean ${quote(meant.slice(0, index + 1).join('.'))}?`,
    nearest: meant.join('.'),
  }
}

function notFollowed(
  names: readonly string[],
  index: number,
  field: SchemaField | RowField,
): ResolvedPath {
  const upTo = names.slice(0, index + 1).join('.')
  return {
    ok: false,
    reason: `a path follows references, and ${quote(upTo)} is ${describeType(field.type)}`,
    nearest: upTo,
  }
}

const enumerated = 12

/** A list for a sentence, cut when it is long. */
function enumerate(names: readonly string[]): string {
  const more = names.length > enumerated ? `, and ${names.length - enumerated} more` : ''
  return names.slice(0, enumerated).join(', ') + more
}
