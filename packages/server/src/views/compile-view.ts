import { checkView, type SchemaField } from '@vitrine/contract'
import { sql } from 'kysely'
import { findDatasetById, type Dataset } from '../store/datasets.ts'
import {
  hasStoredItem,
  layOutFields,
  readItems,
  type ItemReader,
  type StoredField,
} from '../store/items.ts'
import type { Db, Store } from '../store/store.ts'

/** A repository, or a view on one, ready to be read. */
type ReadableDataset = {
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

/** Compiled datasets that are kept, and names. */
const keptMax = 1000

/**
 * Finds datasets and compiles them: a view, to whatever depth, is the table of a repository and which
 * column stands under which name. Definitions never change and ids are never given twice, so what is
 * compiled is kept by id; names are kept until something is written.
 */
export function openDatasets(store: Store): Datasets {
  const byId = new Map<number, ReadableDataset>()
  const byName = new Map<string, ReadableDataset>()
  let version = store.version()
  const selectId = store.prepare<[name: string], [id: number]>(
    sql`select id from datasets where name = ${''}`,
  )
  const selectCount = store.prepare<[repoId: number], [count: number]>(
    sql`select next_position from datasets where id = ${0}`,
  )

  async function findById(id: number): Promise<ReadableDataset | undefined> {
    const found = byId.get(id)
    if (found !== undefined) return found
    const dataset = await findDatasetById(store.reads, id)
    const compiled = dataset && (await compile(store, dataset))
    if (compiled !== undefined) keep(byId, id, compiled)
    return compiled
  }

  return {
    find: async (name) => {
      const current = store.version()
      if (current !== version) {
        byName.clear()
        version = current
      }
      const known = byName.get(name)
      if (known !== undefined) return known
      const [row] = await selectId(name)
      const found = row && (await findById(row[0]))
      // Something may have been written meanwhile.
      if (found !== undefined && store.version() === current) keep(byName, name, found)
      return found
    },
    countItems: async ({ repoId }) => (await selectCount(repoId))[0]?.[0] ?? 0,
  }
}

function keep<K, V>(map: Map<K, V>, key: K, value: V): void {
  if (map.size >= keptMax) map.delete(map.keys().next().value!)
  map.set(key, value)
}

async function compile(
  { reads, prepare }: Pick<Store, 'reads' | 'prepare'>,
  dataset: Dataset,
): Promise<ReadableDataset | undefined> {
  const layout = await compileLayout(reads, dataset)
  if (layout === undefined) return undefined
  const { repoId, fields } = layout
  const single = new Map<string, ItemReader>()
  return {
    id: dataset.id,
    repoId,
    schema: dataset.schema,
    items: readItems(prepare, repoId, fields),
    itemsWith: (fieldName) => {
      const kept = single.get(fieldName)
      if (kept !== undefined) return kept
      const field = fields.find(({ name }) => name === fieldName)
      if (field === undefined) return undefined
      const reader = readItems(prepare, repoId, [field])
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
  const shown = checkView(dataset.definition, () => base.schema)
  if (!shown.ok) throw new Error(`the view ${dataset.name} does not fit its base`)
  const byName = new Map(under.fields.map((field) => [field.name, field]))
  return {
    repoId: under.repoId,
    fields: shown.value.fields.map(({ field, path }) => ({
      ...byName.get(path.field.name)!,
      name: field.name,
    })),
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
