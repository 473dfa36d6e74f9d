import type { Kysely } from 'kysely'
import { integer, numberedKey, text } from '../engine-sql.ts'
import { snapshotRoom } from '../leases.ts'

/** The files of datasets as they were, each the lease of its blob; and a row to lock before one comes. */
export async function up(db: Kysely<{ leases: LeaseRow }>): Promise<void> {
  await db.schema
    .createTable('snapshots')
    .addColumn('id', numberedKey)
    .addColumn('dataset_id', integer, (column) => column.notNull())
    .addColumn('at', integer, (column) => column.notNull())
    .addColumn('revision', integer, (column) => column.notNull())
    .addColumn('version', integer, (column) => column.notNull())
    .addColumn('used_at', integer, (column) => column.notNull())
    .addUniqueConstraint('snapshots_by_state', ['dataset_id', 'at', 'revision', 'version'])
    .execute()
  await db.schema
    .createTable('snapshot_parts')
    .addColumn('snapshot_id', integer, (column) => column.notNull())
    .addColumn('number', integer, (column) => column.notNull())
    .addColumn('sha256', text, (column) => column.notNull())
    .addColumn('size', integer, (column) => column.notNull())
    .addColumn('rows', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('snapshot_parts_key', ['snapshot_id', 'number'])
    .execute()
  await db.schema
    .createIndex('snapshot_parts_by_blob')
    .on('snapshot_parts')
    .columns(['sha256'])
    .execute()
  await db
    .insertInto('leases')
    .values({ name: snapshotRoom, holder: '', expires_at: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

type LeaseRow = { name: string; holder: string; expires_at: number }
