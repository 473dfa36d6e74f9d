import type { DatasetInfo, RepoDescription, SchemaField, ViewDescription } from '@vitrine/contract'
import { sql, type Selectable } from 'kysely'
import { rowLock } from './expressions.ts'
import { now } from './engine-sql.ts'
import { newGeneration } from './generations.ts'
import { newNonceKey, type Nonces } from './leaf.ts'
import { statement } from './statement.ts'
import { isVisible, type Visibility } from './visibility.ts'
import type { Db, Store, Transaction } from './store.ts'
import type { DatasetsTable } from './tables.ts'

/** One row of the datasets, read. */
export type Dataset = {
  id: number
  name: string
  createdAt: number
  /** `issuer subject` of the person who created it. */
  createdBy: string
  schema: SchemaField[]
  /** An import that is about to add items; until then no other may. */
  publishingImport: number | null
  /** Another number whenever its schema, or that of what it depends on, is another. */
  revision: number
  /** Another number whenever the sort keys of its listing are written otherwise. */
  orderRevision: number
  /** Another number whenever the roles on it are others. */
  accessRevision: number
  /** Tells the log of a repository from that of an earlier one of its name. */
  generation: string
  /** Nonces of the entries in the log of a repository. */
  nonces: Nonces
} & (
  | { kind: 'repo'; definition: RepoDescription }
  | { kind: 'view'; definition: ViewDescription; baseId: number }
)

/** The place of an item among those of all repositories. */
export type RowPlace = { repoId: number; position: number }

export function findDataset(db: Db, name: string): Promise<Dataset | undefined> {
  return readOne(selectDatasets(db).where('name', '=', name))
}

/** Finds the dataset of a name where somebody may read it. */
export function findVisibleDataset(
  db: Db,
  name: string,
  visibility: Visibility,
): Promise<Dataset | undefined> {
  return readOne(selectDatasets(db).where('name', '=', name).where(isVisible(visibility)))
}

export function findDatasetById(db: Db, id: number): Promise<Dataset | undefined> {
  return readOne(selectDatasets(db).where('id', '=', id))
}

/** Returns what says which field is the label of an item. */
export function labelSource({
  schema,
  kind,
  definition,
}: Dataset): Pick<DatasetInfo, 'schema' | 'repo'> {
  return { schema, ...(kind === 'repo' && { repo: definition }) }
}

/** Finds a dataset and locks it against additions and deletion until the transaction ends. */
export function lockDataset(transaction: Transaction, name: string): Promise<Dataset | undefined> {
  return readOne(selectDatasets(transaction).where('name', '=', name).modifyEnd(rowLock('change')))
}

/** Finds a dataset and locks it, as `lockDataset` does. */
export function lockDatasetById(
  transaction: Transaction,
  id: number,
): Promise<Dataset | undefined> {
  return readOne(selectDatasets(transaction).where('id', '=', id).modifyEnd(rowLock('change')))
}

/** Dataset of an id, with the numbers that tell what is known of it already. */
export type DatasetVersion = Pick<Dataset, 'id' | 'revision' | 'accessRevision'>

/** Prepares finding the version of the dataset of a name. */
export function datasetVersionFinder({
  prepare,
}: Pick<Store, 'prepare'>): (name: string) => Promise<DatasetVersion | undefined> {
  const select = prepare<{ name: string }, [id: number, revision: number, accessRevision: number]>(
    (slot) => sql`select id, revision, access_revision from datasets where name = ${slot('name')}`,
  )
  return async (name) => {
    const [row] = await select({ name })
    if (row === undefined) return undefined
    const [id, revision, accessRevision] = row
    return { id, revision, accessRevision }
  }
}

export function isSameVersion(one: DatasetVersion, other: DatasetVersion): boolean {
  return (
    one.id === other.id &&
    one.revision === other.revision &&
    one.accessRevision === other.accessRevision
  )
}

/** Dataset of a name at a revision, without its definition. */
export type DatasetRevision = {
  id: number
  revision: number
  kind: 'repo' | 'view'
  publishingImport: number | null
}

const revisionColumns = sql`id, revision, kind, publishing_import as "publishingImport"`

/** Finds the dataset of a name, by what tells whether it is known already. */
export async function findRevision(db: Db, name: string): Promise<DatasetRevision | undefined> {
  return (await selectRevision(db, { name }))[0]
}

const selectRevision = statement<{ name: string }, DatasetRevision>(
  (slot) => sql`select ${revisionColumns} from datasets where name = ${slot('name')}`,
)

/** Finds it, and locks it as `lockDataset` does. */
export async function lockRevision(
  transaction: Transaction,
  name: string,
): Promise<DatasetRevision | undefined> {
  return (await selectRevisionLocked(transaction, { name }))[0]
}

const selectRevisionLocked = statement<{ name: string }, DatasetRevision>(
  (slot) => sql`
    select ${revisionColumns} from datasets where name = ${slot('name')} ${rowLock('change')}`,
)

function selectDatasets(db: Db) {
  return db.selectFrom('datasets').selectAll()
}

async function readOne(query: ReturnType<typeof selectDatasets>): Promise<Dataset | undefined> {
  const row = await query.executeTakeFirst()
  return row && toDataset(row)
}

export function toDataset(row: Selectable<DatasetsTable>): Dataset {
  const { id, name } = row
  const shared = {
    id,
    name,
    createdAt: row.created_at,
    createdBy: row.created_by,
    schema: JSON.parse(row.schema),
    publishingImport: row.publishing_import,
    revision: row.revision,
    orderRevision: row.order_revision,
    accessRevision: row.access_revision,
    generation: row.generation,
    nonces: { key: row.nonce_key, from: row.nonces_from },
  }
  const definition = JSON.parse(row.definition)
  return row.base_id === null
    ? { ...shared, kind: 'repo', definition }
    : { ...shared, kind: 'view', definition, baseId: row.base_id }
}

/** Adds a dataset and what it refers to; `targetIds` may hold an id twice. */
export async function insertDataset(
  transaction: Transaction,
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
      generation: newGeneration(),
      nonce_key: newNonceKey(),
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

/** Everything that is known of a dataset, with the names of those beside it that somebody may read. */
export async function readDatasetInfo(
  db: Db,
  dataset: Dataset,
  visibility: Visibility,
): Promise<DatasetInfo> {
  const { name, createdAt, schema, kind, definition } = dataset
  return {
    name,
    createdAt: new Date(createdAt).toISOString(),
    ...(definition.description !== undefined && { description: definition.description }),
    schema,
    ...(kind === 'view' ? { view: definition } : { repo: definition }),
    referencesTo: await listReferencedNames(db, dataset.id, visibility),
    referencedBy: await listReferencingNames(db, dataset.id, visibility),
  }
}

async function listReferencedNames(db: Db, id: number, visibility: Visibility): Promise<string[]> {
  const rows = await db
    .selectFrom('dataset_references')
    .innerJoin('datasets', 'datasets.id', 'dataset_references.target_id')
    .select('datasets.name')
    .where('dataset_references.dataset_id', '=', id)
    .where(isVisible(visibility))
    .orderBy('datasets.name')
    .execute()
  return rows.map(({ name }) => name)
}

export async function listReferencingNames(
  db: Db,
  id: number,
  visibility: Visibility,
): Promise<string[]> {
  const rows = await db
    .selectFrom('dataset_references')
    .innerJoin('datasets', 'datasets.id', 'dataset_references.dataset_id')
    .select('datasets.name')
    .where('dataset_references.target_id', '=', id)
    .where(isVisible(visibility))
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

export async function countDatasets(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('datasets')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Counts the committed items of all repositories, or those before a place, in the order of their ids. */
export async function countItems(db: Db, before?: RowPlace): Promise<number> {
  const { count } = await db
    .selectFrom('datasets')
    .select((row) => row.fn.sum<number | null>('next_position').as('count'))
    .$if(before !== undefined, (query) => query.where('id', '<', before!.repoId))
    .executeTakeFirstOrThrow()
  return (count ?? 0) + (before?.position ?? 0)
}

/** Finds the repository of the next item at or after a place, with that item's position and its count. */
export async function findNextRepo(
  db: Db,
  { repoId, position }: RowPlace,
): Promise<{ repo: Dataset; from: number; count: number } | undefined> {
  const row = await selectDatasets(db)
    .where('kind', '=', 'repo')
    .where((query) =>
      query.or([
        query.and([query('id', '=', repoId), query('next_position', '>', position)]),
        query.and([query('id', '>', repoId), query('next_position', '>', 0)]),
      ]),
    )
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return (
    row && {
      repo: toDataset(row),
      from: row.id === repoId ? position : 0,
      count: row.next_position,
    }
  )
}

/** Lists the ids of all datasets in their order: a view comes after its base. */
export async function listDatasetIds(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('datasets').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
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
