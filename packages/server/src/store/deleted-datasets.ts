import type { SchemaField } from '@vitrine/contract'
import { sql, type Selectable } from 'kysely'
import { toDataset, type Dataset } from './datasets.ts'
import { leaveToDrop } from './drop-data.ts'
import { rowLock } from './expressions.ts'
import { now } from './engine-sql.ts'
import { deleteGrantsOf } from './grants.ts'
import { dropListingsOf } from './listings.ts'
import type { Db, Transaction } from './store.ts'
import type { DeletedDatasetsTable } from './tables.ts'

/** A dataset that was deleted and can be taken back. */
export type DeletedDataset = {
  /** Dataset as it was deleted, with its name of then. */
  dataset: Dataset
  /** How many items it has; 0 of a view. */
  items: number
  /** The ids of what it referred to, by the names of then; its own where it refers to itself. */
  targets: ReadonlyMap<string, number>
  deletedAt: number
  /** `issuer subject` of the person who deleted it. */
  deletedBy: string
}

function toDeleted({
  targets,
  deleted_at: deletedAt,
  deleted_by: deletedBy,
  ...row
}: Selectable<DeletedDatasetsTable>): DeletedDataset {
  return {
    dataset: toDataset({ ...row, publishing_import: null }),
    items: row.next_position,
    targets: new Map(Object.entries(JSON.parse(targets) as Record<string, number>)),
    deletedAt,
    deletedBy,
  }
}

/** Lays a dataset aside with what it refers to, before its row is deleted. */
export async function layAside(
  transaction: Transaction,
  id: number,
  deletedBy: string,
): Promise<void> {
  const { publishing_import: _, ...row } = await transaction
    .selectFrom('datasets')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const targets = await transaction
    .selectFrom('dataset_references')
    .innerJoin('datasets', 'datasets.id', 'dataset_references.target_id')
    .select(['datasets.name', 'datasets.id'])
    .where('dataset_references.dataset_id', '=', id)
    .execute()
  const idOf = Object.fromEntries(targets.map((target) => [target.name, target.id]))
  await transaction
    .insertInto('deleted_datasets')
    .values({
      ...row,
      // The audit log is to have a checkpoint again once it was taken back: whoever verifies it forgets deleted ones.
      recorded_size: 0,
      targets: JSON.stringify(idOf),
      deleted_at: now,
      deleted_by: deletedBy,
    })
    .execute()
}

/** Removes the row of a dataset, what it refers to, its open inserts, and its listings. */
export async function removeDataset(
  transaction: Transaction,
  { id, kind }: Pick<Dataset, 'id' | 'kind'>,
): Promise<void> {
  await transaction.deleteFrom('dataset_references').where('dataset_id', '=', id).execute()
  if (kind === 'repo') {
    await transaction.deleteFrom('inserts').where('dataset_id', '=', id).execute()
  }
  await dropListingsOf(transaction, id)
  await transaction.deleteFrom('datasets').where('id', '=', id).execute()
}

/** Those that a person may take back: whoever deleted one, created it, or was made its owner. */
const isOf = (key: string) => sql<boolean>`(
  deleted_by = ${key} or created_by = ${key} or exists (
    select 1 from grants
    where dataset_id = deleted_datasets.id and grants.kind = 'person'
      and principal = ${key} and role = 'owner'
  )
)`

/**
 * Finds a deleted dataset and locks it until the transaction ends.
 * @param of the person who is to be able to take it back; undefined for all
 */
export async function lockDeleted(
  transaction: Transaction,
  id: number,
  of?: string,
): Promise<DeletedDataset | undefined> {
  const row = await transaction
    .selectFrom('deleted_datasets')
    .selectAll()
    .where('id', '=', id)
    .$if(of !== undefined, (query) => query.where(isOf(of!)))
    .modifyEnd(rowLock('change'))
    .executeTakeFirst()
  return row && toDeleted(row)
}

export async function findDeleted(db: Db, id: number): Promise<DeletedDataset | undefined> {
  const row = await db
    .selectFrom('deleted_datasets')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toDeleted(row)
}

/**
 * Lists deleted datasets, the last deleted first.
 * @param of the person who is to be able to take them back; undefined for all
 * @param name the name of then, where only those of one are meant
 * @param among the ids of those that are meant, where it is not all
 */
export async function listDeleted(
  db: Db,
  {
    of,
    name,
    among,
    page,
    pageSize,
  }: {
    of: string | undefined
    name: string | undefined
    among: readonly number[] | undefined
    page: number
    pageSize: number
  },
): Promise<DeletedDataset[]> {
  const rows = await db
    .selectFrom('deleted_datasets')
    .selectAll()
    .$if(of !== undefined, (query) => query.where(isOf(of!)))
    .$if(name !== undefined, (query) => query.where('name', '=', name!))
    .$if(among !== undefined, (query) => query.where('id', 'in', among!))
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
  return rows.map(toDeleted)
}

/** Lists what was deleted so long ago, the first deleted first. */
export async function listDeletedBefore(db: Db, ageMs: number): Promise<number[]> {
  const rows = await db
    .selectFrom('deleted_datasets')
    .select('id')
    .where('deleted_at', '<=', sql<number>`${now} - ${ageMs}`)
    .orderBy('deleted_at')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The ids of deleted repositories. */
export async function listDeletedRepos(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('deleted_datasets')
    .select('id')
    .where('kind', '=', 'repo')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Lists the names of then of deleted datasets that refer to one, itself left out.
 * @param of the person who is to be able to take them back; undefined for all
 */
export async function listDeletedReferring(db: Db, id: number, of?: string): Promise<string[]> {
  const rows = await db
    .selectFrom('deleted_datasets')
    .select(['name', 'targets'])
    .where('id', '!=', id)
    .$if(of !== undefined, (query) => query.where(isOf(of!)))
    .orderBy('name')
    .execute()
  return rows
    .filter(({ targets }) => Object.values(JSON.parse(targets) as object).includes(id))
    .map(({ name }) => name)
}

/** Returns the names of the datasets, of those given, that exist. */
export async function namesOfDatasets(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('datasets')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The repository whose items a dataset has that is there or deleted. */
export async function findRepoIdAnywhere(db: Db, id: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    with recursive every_dataset (id, base_id) as (
      select id, base_id from datasets union all select id, base_id from deleted_datasets
    ),
    chain (id, base_id) as (
      select id, base_id from every_dataset where id = ${id}
      union all
      select base.id, base.base_id from every_dataset as base join chain on base.id = chain.base_id
    )
    select id from chain where base_id is null`.execute(db)
  return rows[0]?.id
}

/** Puts the row of a deleted dataset back, with another definition and schema, and notes what it refers to. */
export async function putBack(
  transaction: Transaction,
  id: number,
  { definition, schema }: { definition: Dataset['definition']; schema: readonly SchemaField[] },
): Promise<void> {
  const {
    targets: _,
    deleted_at: __,
    deleted_by: ___,
    ...row
  } = await transaction
    .deleteFrom('deleted_datasets')
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await transaction
    .insertInto('datasets')
    .values({
      ...row,
      name: definition.name,
      definition: JSON.stringify(definition),
      schema: JSON.stringify(schema),
      // Whoever knows it from before reads it anew.
      revision: row.revision + 1,
      order_revision: row.order_revision + 1,
    })
    .execute()
}

/** Forgets a deleted dataset; the items of a repository are left to be removed. */
export async function forgetDeleted(
  transaction: Transaction,
  { id, kind }: Pick<Dataset, 'id' | 'kind'>,
): Promise<void> {
  await transaction.deleteFrom('deleted_datasets').where('id', '=', id).execute()
  await deleteGrantsOf(transaction, id)
  if (kind === 'repo') await leaveToDrop(transaction, id)
}
