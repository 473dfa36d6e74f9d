import { inferViewFields, type SchemaField } from '@vitrine/contract'
import { sql } from 'kysely'
import { findDatasetById, type Dataset } from '../store/datasets.ts'
import {
  hasStoredItem,
  layOutFields,
  readItems,
  type ItemReader,
  type StoredField,
} from '../store/items.ts'
import { prepare } from '../store/prepare.ts'
import type { Db } from '../store/store.ts'

/** A repository, or a view on one, ready to be read. */
export type ReadableDataset = {
  id: number
  /** The repository whose table holds the items. */
  repoId: number
  schema: readonly SchemaField[]
  items: ItemReader
  /** Reads items with one field only; undefined when the schema has no such field. */
  itemsWith: (fieldName: string) => ItemReader | undefined
}

export type Datasets = {
  /** The dataset of a name as of now. */
  find: (name: string) => Promise<ReadableDataset | undefined>
  countItems: (dataset: ReadableDataset) => Promise<number>
}

/** Compiled datasets that are kept. */
const keptMax = 1000

/**
 * Finds datasets and compiles them: a view, to whatever depth, is the table of a repository and which
 * column stands under which name. Definitions never change and ids are never given twice, so what is
 * compiled is kept by id, and a look-up by name tells whether it is still there.
 */
export function openDatasets(db: Db): Datasets {
  const kept = new Map<number, ReadableDataset>()
  const selectId = prepare<[name: string], { id: number }>(
    db,
    sql`select id from datasets where name = ${''}`,
  )
  const selectCount = prepare<[repoId: number], { count: number }>(
    db,
    sql`select next_position as count from datasets where id = ${0}`,
  )
  return {
    find: async (name) => {
      const [row] = await selectId(name)
      if (row === undefined) return undefined
      const found = kept.get(row.id)
      if (found !== undefined) return found
      const dataset = await findDatasetById(db, row.id)
      const compiled = dataset && (await compile(db, dataset))
      if (compiled !== undefined) {
        if (kept.size >= keptMax) kept.delete(kept.keys().next().value!)
        kept.set(row.id, compiled)
      }
      return compiled
    },
    countItems: async ({ repoId }) => (await selectCount(repoId))[0]?.count ?? 0,
  }
}

async function compile(db: Db, dataset: Dataset): Promise<ReadableDataset | undefined> {
  const layout = await compileLayout(db, dataset)
  if (layout === undefined) return undefined
  const { repoId, fields } = layout
  const single = new Map<string, ItemReader>()
  return {
    id: dataset.id,
    repoId,
    schema: dataset.schema,
    items: readItems(db, repoId, fields),
    itemsWith: (fieldName) => {
      const kept = single.get(fieldName)
      if (kept !== undefined) return kept
      const field = fields.find(({ name }) => name === fieldName)
      if (field === undefined) return undefined
      const reader = readItems(db, repoId, [field])
      single.set(fieldName, reader)
      return reader
    },
  }
}

type Layout = { repoId: number; fields: readonly StoredField[] }

/** Undefined when the dataset, and then its base, was deleted meanwhile. */
async function compileLayout(db: Db, dataset: Dataset): Promise<Layout | undefined> {
  if (dataset.kind === 'repo') {
    return { repoId: dataset.id, fields: layOutFields(dataset.schema) }
  }
  const base = await findDatasetById(db, dataset.baseId)
  const under = base && (await compileLayout(db, base))
  if (base === undefined || under === undefined) return undefined
  const shown = inferViewFields(dataset.definition, base.schema)
  if (!shown.ok) throw new Error(`the view ${dataset.name} does not fit its base`)
  const byName = new Map(under.fields.map((field) => [field.name, field]))
  return {
    repoId: under.repoId,
    fields: shown.value.map(({ field, from }) => ({ ...byName.get(from)!, name: field.name })),
  }
}

/** Whether a dataset has a committed item of this id, as a reference to it must. */
export async function hasItem(db: Db, datasetName: string, itemId: number): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    with recursive chain (id, base_id) as (
      select id, base_id from datasets where name = ${datasetName}
      union all
      select base.id, base.base_id from datasets as base join chain on base.id = chain.base_id
    )
    select id from chain where base_id is null`.execute(db)
  const [repo] = rows
  return repo !== undefined && (await hasStoredItem(db, repo.id, itemId))
}
