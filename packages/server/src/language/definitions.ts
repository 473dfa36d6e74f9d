import {
  type CheckedView,
  type Path,
  type SchemaField,
  type ViewField,
  checkView,
  resolvePathToRepo,
  metadataFields,
  withSchemas,
} from '@vitrine/contract'
import { type Dataset, findDataset } from '../store/datasets.ts'
import { type StoredField, layOutFields } from '../store/items.ts'
import type { Db } from '../store/store.ts'

/** A dataset as defined: a repository with where its fields are kept, or a view on a base. */
export type Definition =
  | {
      kind: 'repo'
      id: number
      revision: number
      accessRevision: number
      name: string
      schema: readonly SchemaField[]
      fields: StoredField[]
      /** The field with the picture of an item, where its description names one. */
      cover: string | undefined
    }
  | {
      kind: 'view'
      id: number
      revision: number
      accessRevision: number
      orderRevision: number
      name: string
      schema: readonly SchemaField[]
      view: CheckedView
    }

/** A value of an item, in terms of tables: references to follow, and what stands at the end. */
export type StoredPath = {
  steps: { column: string; repoId: number }[]
  end: 'id' | 'created_at' | StoredField
  /** Casts of the views on the way, in their order. */
  casts: readonly SchemaField[]
}

/**
 * Some datasets with all that evaluating them takes: the bases below them, and the datasets that their
 * paths go to. What a view needs cannot be deleted while the view is there.
 */
export class Definitions {
  readonly #byName: ReadonlyMap<string, Definition>

  constructor(byName: ReadonlyMap<string, Definition>) {
    this.#byName = byName
  }

  get(name: string): Definition {
    const definition = this.#byName.get(name)
    if (definition === undefined) throw new Error(`the definition of ${name} is missing`)
    return definition
  }

  /** The bytes that all texts of an item may have together, with those of items that it leads to. */
  textBytesMax(): number {
    return [...this.#byName.values()]
      .flatMap((definition) => (definition.kind === 'repo' ? definition.fields : []))
      .reduce((sum, { bytesMax }) => sum + bytesMax, 0)
  }

  /** Returns where the value of a path from a dataset is stored. */
  stored(path: Path, dataset: string): StoredPath {
    const { repo, steps, field, casts } = resolvePathToRepo(path, dataset, this.#shownBy)
    const stored: StoredPath['steps'] = []
    let at = repo
    for (const step of steps) {
      const repoId = this.#repo(step.repo).id
      stored.push({ column: this.#column(at, step.field).column, repoId })
      at = step.repo
    }
    const end =
      field.type === 'id'
        ? 'id'
        : field.type === 'createdAt'
          ? 'created_at'
          : this.#column(at, field.name)
    return { steps: stored, end, casts }
  }

  #repo(name: string) {
    const definition = this.get(name)
    if (definition.kind === 'view') throw new Error(`${name} is no repository`)
    return definition
  }

  #column(repo: string, field: string): StoredField {
    return this.#repo(repo).fields.find(({ name }) => name === field)!
  }

  #shownBy = (name: string): { base: string; fields: readonly ViewField[] } | undefined => {
    const definition = this.get(name)
    if (definition.kind === 'repo') return undefined
    const { base, fields } = definition.view
    return { base: base.name, fields }
  }
}

/** Reads a dataset and what it needs; undefined when any of them was deleted meanwhile. */
export async function loadDefinitions(
  db: Db,
  names: readonly string[],
): Promise<Definitions | undefined> {
  const datasets = new Map<string, Dataset>()
  const definitions = new Map<string, Definition>()
  const find = async (name: string): Promise<Dataset | undefined> => {
    const dataset = datasets.get(name) ?? (await findDataset(db, name))
    if (dataset !== undefined) datasets.set(name, dataset)
    return dataset
  }
  const wanted = [...names]
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (definitions.has(name)) continue
    const dataset = await find(name)
    if (dataset === undefined) return undefined
    const { id, revision, accessRevision, schema } = dataset
    const shared = { id, revision, accessRevision, name, schema }
    if (dataset.kind === 'repo') {
      const { kind, definition } = dataset
      const fields = layOutFields(schema)
      definitions.set(name, { kind, ...shared, fields, cover: definition.cover })
      continue
    }
    const view = await recheck(dataset, find)
    if (view === undefined) return undefined
    const { kind, orderRevision } = dataset
    definitions.set(name, { kind, ...shared, orderRevision, view })
    wanted.push(...view.dependsOn)
  }
  return new Definitions(definitions)
}

type FindDataset = (name: string) => Promise<Dataset | undefined>

/** The clauses of a view that is stored, and so was found to make sense on its base. */
async function recheck(
  { name, definition }: Dataset,
  find: FindDataset,
): Promise<CheckedView | undefined> {
  let isWhole = true
  const checked = await withSchemas(
    (resolve) => checkView({ ...definition, description: undefined }, resolve, { isKept: true }),
    async (needed) => {
      const dataset = await find(needed)
      isWhole &&= dataset !== undefined
      return dataset?.schema
    },
  )
  if (checked.ok) return checked.value
  if (!isWhole) return undefined
  throw new Error(`the view ${name} does not fit its base`)
}

/**
 * The field of a dataset with the picture of an item: the one that the description of its repository names,
 * whatever a view calls it, or else its first field of an image type.
 */
export function coverField(name: string, definitions: Definitions): string | undefined {
  const definition = definitions.get(name)
  const first = definition.schema.find(metadataFields.cover)?.name
  if (definition.kind === 'repo') return definition.cover ?? first
  const { base, fields } = definition.view
  const ofBase = coverField(base.name, definitions)
  const shown = fields.find(
    ({ path }) => path.steps.length === 0 && path.field.name === ofBase && ofBase !== undefined,
  )
  return shown?.field.name ?? first
}
