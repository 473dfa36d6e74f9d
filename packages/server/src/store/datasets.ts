import type {
  DatasetEntry,
  DatasetInfo,
  RepoDescription,
  SchemaField,
  ViewDescription,
  ViewEntry,
} from '@vitrine/contract'
import { sql, type Selectable, type Transaction } from 'kysely'
import { rowLock } from './expressions.ts'
import { now } from './now.ts'
import type { Db } from './store.ts'
import type { DatasetsTable, Tables } from './tables.ts'

/** One row of the datasets, read. */
export type Dataset = {
  id: number
  name: string
  createdAt: number
  schema: SchemaField[]
  /** An import that is about to add items; until then no other may. */
  publishingImport: number | null
} & (
  | { kind: 'repo'; definition: RepoDescription }
  | { kind: 'view'; definition: ViewDescription; baseId: number }
)

type Page = { page: number; pageSize: number }

export async function findDataset(db: Db, name: string): Promise<Dataset | undefined> {
  const row = await selectDatasets(db).where('name', '=', name).executeTakeFirst()
  return row && toDataset(row)
}

/** The same, and nobody else adds to it or deletes it before this transaction is over. */
export async function lockDataset(
  transaction: Transaction<Tables>,
  name: string,
): Promise<Dataset | undefined> {
  const row = await selectDatasets(transaction)
    .where('name', '=', name)
    .modifyEnd(rowLock('change'))
    .executeTakeFirst()
  return row && toDataset(row)
}

/** Whether a dataset is there, which it stays until this transaction is over, as it is. */
export async function lockDatasetById(
  transaction: Transaction<Tables>,
  id: number,
): Promise<Dataset | undefined> {
  const row = await selectDatasets(transaction)
    .where('id', '=', id)
    .modifyEnd(rowLock('change'))
    .executeTakeFirst()
  return row && toDataset(row)
}

function selectDatasets(db: Db) {
  return db.selectFrom('datasets').selectAll()
}

export async function findDatasetById(db: Db, id: number): Promise<Dataset | undefined> {
  const row = await db.selectFrom('datasets').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toDataset(row)
}

function toDataset(row: Selectable<DatasetsTable>): Dataset {
  const { id, name } = row
  const shared = {
    id,
    name,
    createdAt: row.created_at,
    schema: JSON.parse(row.schema),
    publishingImport: row.publishing_import,
  }
  const definition = JSON.parse(row.definition)
  return row.base_id === null
    ? { ...shared, kind: 'repo', definition }
    : { ...shared, kind: 'view', definition, baseId: row.base_id }
}

/** Adds a dataset and what it refers to; `targetIds` may hold an id twice. */
export async function insertDataset(
  transaction: Transaction<Tables>,
  dataset: {
    kind: 'repo' | 'view'
    definition: RepoDescription | ViewDescription
    schema: SchemaField[]
    baseId: number | null
    createdBy: string
  },
  targetIds: (self: number) => number[],
): Promise<number> {
  const { id } = await transaction
    .insertInto('datasets')
    .values({
      name: dataset.definition.name,
      kind: dataset.kind,
      definition: JSON.stringify(dataset.definition),
      schema: JSON.stringify(dataset.schema),
      base_id: dataset.baseId,
      created_at: now,
      created_by: dataset.createdBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const targets = [...new Set(targetIds(id))]
  if (targets.length > 0) {
    await transaction
      .insertInto('dataset_references')
      .values(targets.map((target_id) => ({ dataset_id: id, target_id })))
      .execute()
  }
  return id
}

/** Everything that is known of a dataset, its references by name. */
export async function readDatasetInfo(db: Db, dataset: Dataset): Promise<DatasetInfo> {
  const { name, createdAt, schema, kind, definition } = dataset
  return {
    name,
    createdAt: new Date(createdAt).toISOString(),
    ...(definition.description !== undefined && { description: definition.description }),
    schema,
    ...(kind === 'view' ? { view: definition } : { repo: definition }),
    referencesTo: await listReferencedNames(db, dataset.id),
    referencedBy: await listReferencingNames(db, dataset.id),
  }
}

async function listReferencedNames(db: Db, id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('dataset_references')
    .innerJoin('datasets', 'datasets.id', 'dataset_references.target_id')
    .select('datasets.name')
    .where('dataset_references.dataset_id', '=', id)
    .orderBy('datasets.name')
    .execute()
  return rows.map(({ name }) => name)
}

export async function listReferencingNames(db: Db, id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('dataset_references')
    .innerJoin('datasets', 'datasets.id', 'dataset_references.dataset_id')
    .select('datasets.name')
    .where('dataset_references.target_id', '=', id)
    .orderBy('datasets.name')
    .execute()
  return rows.map(({ name }) => name)
}

/** The repository whose items a dataset has; undefined when there is no such dataset. */
export async function findRepoId(db: Db, name: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    with recursive chain (id, base_id) as (
      select id, base_id from datasets where name = ${name}
      union all
      select base.id, base.base_id from datasets as base join chain on base.id = chain.base_id
    )
    select id from chain where base_id is null`.execute(db)
  return rows[0]?.id
}

/** The names of all datasets, to suggest the nearest one. */
export async function listDatasetNames(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('datasets').select('name').limit(10_000).execute()
  return rows.map(({ name }) => name)
}

export async function listDatasets(db: Db, { page, pageSize }: Page): Promise<DatasetEntry[]> {
  const rows = await db
    .selectFrom('datasets')
    .select(['name', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
  return rows.map(toEntry)
}

export async function listRepos(db: Db, { page, pageSize }: Page): Promise<DatasetEntry[]> {
  const rows = await db
    .selectFrom('datasets')
    .select(['name', 'created_at'])
    .where('kind', '=', 'repo')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
  return rows.map(toEntry)
}

export async function listViews(db: Db, { page, pageSize }: Page): Promise<ViewEntry[]> {
  const rows = await db
    .selectFrom('datasets as view')
    .innerJoin('datasets as base', 'base.id', 'view.base_id')
    .select(['view.name', 'view.created_at', 'base.name as base'])
    .where('view.kind', '=', 'view')
    .orderBy('view.created_at', 'desc')
    .orderBy('view.id', 'desc')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
  return rows.map((row) => ({ ...toEntry(row), base: row.base }))
}

function toEntry({ name, created_at }: { name: string; created_at: number }): DatasetEntry {
  return { name, createdAt: new Date(created_at).toISOString() }
}

export async function countDatasets(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('datasets')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The committed items of all repositories. */
export async function countItems(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('datasets')
    .select((row) => row.fn.sum<number | null>('next_position').as('count'))
    .executeTakeFirstOrThrow()
  return count ?? 0
}

export async function listRepoIds(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('datasets')
    .select('id')
    .where('kind', '=', 'repo')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The items of one repository. */
export async function countItemsOf(db: Db, repoId: number): Promise<number> {
  const row = await db
    .selectFrom('datasets')
    .select('next_position as count')
    .where('id', '=', repoId)
    .executeTakeFirst()
  return row?.count ?? 0
}
