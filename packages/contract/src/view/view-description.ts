import * as z from 'zod/mini'
import { type Condition, canonicalCondition } from './condition.ts'
import type { Problem } from '../api/errors.ts'
import { orderDescription } from './order.ts'
import { type DatasetState, parseState, statePattern } from '../api/dataset-state.ts'
import { type Checked, check, unknownName } from '../problems.ts'
import { datasetNameReason } from '../repo/names.ts'
import { datasetName } from '../repo/repo-description.ts'
import { descriptionText } from '../repo/repo-metadata.ts'
import { type SplitDescription, splitDescription, splitParts } from './split.ts'
import { type PickedField, exceptFields, fieldsDescription, pickedMapping } from './view-fields.ts'

const baseState = z
  .string()
  .check(z.regex(statePattern, `${datasetNameReason}; @ and a number of items may follow`))

/** The description that `POST /api/view` takes (docs/views.md); the inside of `where` is read by `readCondition`. */
export const viewDescription = z.strictObject({
  name: datasetName,
  base: baseState,
  description: z.optional(descriptionText),
  current: z.optional(z.boolean()),
  where: z.optional(z.unknown()),
  split: z.optional(splitDescription),
  order: z.optional(orderDescription),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER))),
  fields: z.optional(fieldsDescription),
})

/** A view as written, when its shape is right. */
export type WrittenView = z.output<typeof viewDescription>

/** A view in canonical form: one spelling of each thing, the keys of a mapping in one order. */
export type ViewDescription = {
  name: string
  /** A dataset, or with `@1200` its state of so many items. */
  base: string
  description?: string
  /** Left out: what was replaced or withdrawn as well. */
  current?: true
  /** The items to keep. */
  where?: Condition
  split?: SplitDescription
  /** Left out: the order of the base. */
  order?: string[]
  /** The most items to keep, the first ones. */
  limit?: number
  /** Left out: every field of the base. */
  fields?: PickedField[] | { except: string[] }
}

/** Checks the shape of a description, all but the inside of its clauses. */
export function checkShape(input: unknown): Checked<WrittenView> {
  const checked = check(viewDescription, input)
  if (!checked.ok) return { ok: false, problems: checked.problems.map(explain) }
  const written = input as WrittenView
  if (baseOf(written).name === written.name) {
    return { ok: false, problems: [{ path: ['base'], reason: 'a view cannot be its own base' }] }
  }
  // The schema changes nothing, but what it returns has lost any key `__proto__`.
  return { ok: true, value: written }
}

/** The dataset on which a view is, or the state of one. */
export function baseOf({ base }: Pick<ViewDescription, 'base'>): DatasetState {
  return parseState(base)!
}

/**
 * The canonical form of a description that was checked: what is stored, and what is equal when the
 * same view is described again. Mappings have no order, so their keys are sorted; lists keep theirs.
 */
export function canonicalView(written: WrittenView): ViewDescription {
  const { name, base, description, current, where, split, order, limit, fields } = written
  return {
    name,
    base,
    ...(description !== undefined && { description }),
    ...(current === true && { current }),
    ...(where !== undefined && { where: canonicalCondition(where as Condition) }),
    ...(split !== undefined && { split: canonicalSplit(split) }),
    ...(order !== undefined && { order: typeof order === 'string' ? [order] : order }),
    ...(limit !== undefined && { limit }),
    ...(fields !== undefined && {
      fields: Array.isArray(fields) ? fields.map(canonicalField) : { except: fields.except },
    }),
  }
}

function canonicalSplit({ by, salt, parts, take }: SplitDescription): SplitDescription {
  return {
    ...(by !== undefined && by !== 'id' && { by }),
    ...(salt !== undefined && salt !== '' && { salt }),
    parts: Object.fromEntries(splitParts(parts).map(({ name }) => [name, parts[name]!])),
    take,
  }
}

function canonicalField(field: string | PickedField): PickedField {
  if (typeof field === 'string') return { name: field, from: field }
  const { name, from, as, choices } = field
  return { name, from, ...(as !== undefined && { as }), ...(choices && { choices }) }
}

/** Clauses by what other languages call them. */
const clauseSynonyms: Readonly<Record<string, string | undefined>> = Object.assign(
  Object.create(null) as Record<string, string>,
  {
    filter: 'where',
    filters: 'where',
    sort: 'order',
    order_by: 'order',
    orderby: 'order',
    select: 'fields',
    columns: 'fields',
    from: 'base',
  },
)

/** The keys of each mapping of a view, but for those of `where` and of the parts of a split. */
function keysAt([clause]: Problem['path'], depth: number): string[] {
  if (depth === 1) return Object.keys(viewDescription.shape)
  if (clause === 'split') return Object.keys(splitDescription.shape)
  return Object.keys(depth === 2 ? exceptFields.shape : pickedMapping.shape)
}

/** Names what would have been valid where a key is unknown. */
function explain(problem: Problem): Problem {
  const { path, reason } = problem
  if (!reason.startsWith('unknown key')) return problem
  const key = String(path.at(-1))
  const meant = path.length === 1 ? clauseSynonyms[key.toLowerCase()] : undefined
  return unknownName(path, 'key', key, keysAt(path, path.length), meant)
}
