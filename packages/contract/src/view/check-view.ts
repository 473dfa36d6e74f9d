import { readCondition } from './condition.ts'
import type { Problem } from '../api/errors.ts'
import type { SchemaField } from '../repo/field.ts'
import { type OrderKey, readOrder } from './order.ts'
import type { Resolve } from './path.ts'
import type { Clause } from './predicate.ts'
import type { DatasetState } from '../api/dataset-state.ts'
import { type Checked, quote } from '../problems.ts'
import { type Scope, baseScope, schemalessScope } from './scope.ts'
import { type Split, readSplit } from './split.ts'
import {
  type ViewDescription,
  type WrittenView,
  baseOf,
  canonicalView,
  checkShape,
} from './view-description.ts'
import { type ViewField, readFields } from './view-fields.ts'

/** The clauses of a view, to be evaluated in this order; paths lead from the base. */
export type ViewClauses = {
  /** Whether items that others replace, and those that withdraw others, are left out of the base. */
  current: boolean
  /** All must hold; none when the view has no `where`. */
  where: Clause[]
  split?: Split
  /** Ties, and everything when there are no keys, stand as they do in the base. */
  order: OrderKey[]
  limit?: number
  fields: ViewField[]
}

/** A view that makes sense on its base. */
export type CheckedView = ViewClauses & {
  /** In canonical form. */
  description: ViewDescription
  base: DatasetState
  /** Schema of the view, for datasets that have it as base or target. */
  schema: SchemaField[]
  /** The base, and every dataset that a path goes to: what evaluating the view reads. */
  dependsOn: string[]
  /** Those, and the targets of the references that the view shows. */
  referencesTo: string[]
}

/** Checks a description by itself, as when nothing is known of its base; gives its canonical form. */
export function checkViewDescription(input: unknown): Checked<ViewDescription> {
  const shape = checkShape(input)
  if (!shape.ok) return shape
  const problems: Problem[] = []
  readClauses(
    shape.value,
    undefined,
    schemalessScope((problem) => problems.push(problem)),
  )
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, value: canonicalView(shape.value) }
}

/**
 * Checks a description, as written or in canonical form, against its base and the datasets that its
 * paths go to. Problems have the paths of what was given. Of one that is kept, slips are let pass, as it
 * may be older than what they are known by.
 */
export function checkView(
  input: unknown,
  resolve: Resolve,
  { isKept = false }: { isKept?: boolean } = {},
): Checked<CheckedView> {
  const shape = checkShape(input)
  if (!shape.ok) return shape
  const state = baseOf(shape.value)
  const { name: base } = state
  const schema = resolve(base)
  if (schema === undefined) {
    const reason = `there is no dataset ${quote(base)}`
    return { ok: false, problems: [{ path: ['base'], reason }] }
  }
  const problems: Problem[] = []
  const dependsOn = new Set([base])
  const report = (problem: Problem) => void problems.push(problem)
  const scope = baseScope(base, resolve, {
    report,
    caution: isKept ? () => {} : report,
    onStep: (target) => dependsOn.add(target),
  })
  const clauses = readClauses(shape.value, schema, scope)
  if (problems.length > 0) return { ok: false, problems }
  const fields = clauses.fields.map(({ field }) => field)
  const links = fields.flatMap((field) => (field.type === 'reference' ? [field.target] : []))
  return {
    ok: true,
    value: {
      description: canonicalView(shape.value),
      base: state,
      ...clauses,
      schema: fields,
      dependsOn: [...dependsOn],
      referencesTo: [...new Set([...dependsOn, ...links])],
    },
  }
}

function readClauses(
  { current = false, where, split, order, limit, fields }: WrittenView,
  base: readonly SchemaField[] | undefined,
  scope: Scope,
): ViewClauses {
  const read = {
    current,
    where: where === undefined ? [] : readCondition(where, ['where'], scope),
    split: split && readSplit(split, scope),
    order: order === undefined ? [] : readOrder(order, scope),
    fields: readFields(fields, base, scope),
  }
  const { split: splitting, ...rest } = read
  return { ...rest, ...(splitting && { split: splitting }), ...(limit !== undefined && { limit }) }
}
