import { sql, type Selectable } from 'kysely'
import { rowLock } from './expressions.ts'
import { now } from './engine-sql.ts'
import type { Db, Transaction } from './store.ts'
import type { ImportsTable } from './import-tables.ts'

export type ImportRow = Selectable<ImportsTable>

const unfinished: readonly ImportRow['state'][] = ['checking', 'publishing']

/** Whether its file is complete and it has not ended. */
export const isUnfinished = ({ state }: ImportRow): boolean => unfinished.includes(state)

/** Returns how many items an import adds: rows that were not refused and are not as their items are. */
export function countItems({ rows, refused_rows, unchanged_rows }: ImportRow): number {
  return rows - refused_rows - unchanged_rows
}

/** The newest import of a key of a person: those before it failed or were cancelled. */
export function findImport(
  db: Db,
  { datasetId, createdBy, key }: { datasetId: number; createdBy: string; key: string },
): Promise<ImportRow | undefined> {
  return db
    .selectFrom('imports')
    .selectAll()
    .where('dataset_id', '=', datasetId)
    .where('created_by', '=', createdBy)
    .where('key', '=', key)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function findImportById(db: Db, id: number): Promise<ImportRow | undefined> {
  return db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Reads an import and locks it until this transaction is over. */
export function lockImport(transaction: Transaction, id: number): Promise<ImportRow | undefined> {
  return transaction
    .selectFrom('imports')
    .selectAll()
    .where('id', '=', id)
    .modifyEnd(rowLock('change'))
    .executeTakeFirst()
}

/** Lists the imports of a person into a repository, the newest first. */
export function listImports(
  db: Db,
  {
    datasetId,
    createdBy,
    page,
    pageSize,
  }: { datasetId: number; createdBy: string; page: number; pageSize: number },
): Promise<ImportRow[]> {
  return db
    .selectFrom('imports')
    .selectAll()
    .where('dataset_id', '=', datasetId)
    .where('created_by', '=', createdBy)
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
}

/** Imports whose file is complete and that have not ended. */
export function listUnfinishedImports(
  db: Db,
): Promise<Pick<ImportRow, 'id' | 'state' | 'created_by'>[]> {
  return db
    .selectFrom('imports')
    .select(['id', 'state', 'created_by'])
    .where('state', 'in', unfinished)
    .orderBy('id')
    .execute()
}

export function insertImport(
  transaction: Transaction,
  row: {
    datasetId: number
    key: string
    options: string
    createdBy: string
    readsAll: boolean
    tokenDatasets?: readonly number[] | undefined
  },
): Promise<ImportRow> {
  return transaction
    .insertInto('imports')
    .values({
      dataset_id: row.datasetId,
      key: row.key,
      state: 'receiving',
      options: row.options,
      created_at: now,
      created_by: row.createdBy,
      reads_all: row.readsAll ? 1 : 0,
      token_datasets: row.tokenDatasets === undefined ? null : JSON.stringify(row.tokenDatasets),
      touched_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export type ImportChanges = Partial<
  Pick<
    ImportRow,
    | 'state'
    | 'received_bytes'
    | 'checked_bytes'
    | 'rows'
    | 'refused_rows'
    | 'changed_rows'
    | 'unchanged_rows'
    | 'matched_at'
    | 'outcome'
    | 'confirmed'
    | 'published_rows'
    | 'first_position'
    | 'first_item_id'
    | 'ends_as'
    | 'error'
    | 'notes'
  >
>

export async function updateImport(
  transaction: Transaction,
  id: number,
  changes: ImportChanges,
): Promise<void> {
  await transaction
    .updateTable('imports')
    .set({ ...changes, touched_at: now })
    .where('id', '=', id)
    .execute()
}

/** Imports that ended, or received nothing more, so long ago, or whose repository is gone for good. */
export async function listStaleImports(
  db: Db,
  { idleMs, keptMs, limit }: { idleMs: number; keptMs: number; limit: number },
): Promise<ImportRow[]> {
  return db
    .selectFrom('imports')
    .selectAll()
    .where((row) =>
      row.or([
        row.and([
          row('state', 'in', ['receiving', 'checked']),
          row('touched_at', '<=', sql<number>`${now} - ${idleMs}`),
        ]),
        row.and([
          row('state', 'in', ['done', 'failed', 'cancelled']),
          row('touched_at', '<=', sql<number>`${now} - ${keptMs}`),
        ]),
        row.and([
          row('state', 'not in', unfinished),
          row('dataset_id', 'not in', row.selectFrom('datasets').select('id')),
          row('dataset_id', 'not in', row.selectFrom('deleted_datasets').select('id')),
        ]),
      ]),
    )
    .limit(limit)
    .execute()
}

/** Lists the imports into a repository that have not ended though their files are complete. */
export function listUnfinished(db: Db, datasetId: number): Promise<ImportRow[]> {
  return db
    .selectFrom('imports')
    .selectAll()
    .where('dataset_id', '=', datasetId)
    .where('state', 'in', unfinished)
    .orderBy('id')
    .execute()
}

export async function deleteImport(transaction: Transaction, id: number): Promise<void> {
  await transaction.deleteFrom('imports').where('id', '=', id).execute()
}
