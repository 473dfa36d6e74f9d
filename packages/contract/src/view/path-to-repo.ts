import type { ReferenceField, SchemaField } from '../repo/field.ts'
import type { Path, RowField } from './path.ts'
import type { ViewField } from './view-fields.ts'

/** The base of a view and what its fields show of it; undefined for a repository. */
export type ViewOf = (dataset: string) => { base: string; fields: readonly ViewField[] } | undefined

/** A path in terms of repositories alone, where values are kept. */
export type GroundPath = {
  /** Repository whose items the dataset shows: the start of the path. */
  repo: string
  /** The references to follow: each a field of the repository before it, and the one it leads to. */
  steps: { field: string; repo: string }[]
  /** The field at the end, as its repository declares it. */
  field: SchemaField | RowField
  /** Casts of the views on the way, in their order. */
  casts: readonly SchemaField[]
}

/** Rewrites a path on a dataset by what the views on its way show. */
export function resolvePathToRepo(
  { steps, field }: Path,
  dataset: string,
  viewOf: ViewOf,
): GroundPath {
  return ground(dataset, [...steps, field], viewOf)
}

type Fields = readonly (SchemaField | RowField)[]

function ground(dataset: string, fields: Fields, viewOf: ViewOf): GroundPath {
  const [first, ...rest] = fields as [ReferenceField, ...Fields]
  const view = viewOf(dataset)
  if (view !== undefined) {
    const shown = view.fields.find((each) => each.field.name === first.name)
    // The items of a view are those of its base, so their ids and moments are too.
    if (shown === undefined) return ground(view.base, fields, viewOf)
    const { path, field, isCast } = shown
    const grounded = ground(view.base, [...path.steps, path.field, ...rest], viewOf)
    return isCast ? { ...grounded, casts: [...grounded.casts, field] } : grounded
  }
  if (rest.length === 0) return { repo: dataset, steps: [], field: first, casts: [] }
  const next = ground(first.target, rest, viewOf)
  return { ...next, repo: dataset, steps: [{ field: first.name, repo: next.repo }, ...next.steps] }
}
