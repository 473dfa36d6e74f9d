import type { Problem } from './errors.ts'
import type { SchemaField } from './field.ts'
import { quote, unknownName, type Checked } from './problems.ts'
import type { ViewDescription } from './view-description.ts'

/** One field of a view: what it looks like, and the base's field that it shows. */
export type ViewField = { field: SchemaField; from: string }

/** Infers the schema of a view from its base's (design.md §6). */
export function inferViewFields(
  view: Pick<ViewDescription, 'fields'>,
  base: readonly SchemaField[],
): Checked<ViewField[]> {
  const byName = new Map(base.map((field) => [field.name, field]))
  const problems: Problem[] = []
  const known = (name: string, path: Problem['path']) => {
    const field = byName.get(name)
    if (field === undefined) problems.push(unknownField(name, path, byName))
    return field
  }

  const { fields } = view
  if (fields === undefined) {
    return { ok: true, value: base.map((field) => ({ field, from: field.name })) }
  }
  let shown: ViewField[]
  if (Array.isArray(fields)) {
    shown = fields.flatMap(({ name, from }, index) => {
      const field = known(from, ['fields', index])
      return field === undefined ? [] : [{ field: { ...field, name }, from }]
    })
  } else {
    fields.except.forEach((name, index) => known(name, ['fields', 'except', index]))
    const kept = base.filter((field) => !fields.except.includes(field.name))
    if (kept.length === 0) {
      problems.push({ path: ['fields', 'except'], reason: 'leaves no field' })
    }
    shown = kept.map((field) => ({ field, from: field.name }))
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: shown }
}

function unknownField(
  name: string,
  path: Problem['path'],
  byName: ReadonlyMap<string, SchemaField>,
): Problem {
  const [first = ''] = name.split('.')
  if (name.includes('.') && byName.has(first)) {
    return {
      path,
      reason: `the path ${quote(name)} follows a reference, which is not supported yet`,
    }
  }
  return unknownName(path, 'field', name, byName.keys())
}
