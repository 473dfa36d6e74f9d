import { textOf, type SchemaField } from '@vitrine/contract'
import { sql, type RawBuilder, type Transaction } from 'kysely'
import { rowLock } from './expressions.ts'
import type { StoredValue } from './items.ts'
import { now } from './now.ts'
import type { Db } from './store.ts'
import type { InsertValuesTable, Tables } from './tables.ts'

type Write = Transaction<Tables>

/** Names one insert: the repository and the id that its item is going to have. */
export type InsertKey = { datasetId: number; itemId: number }

/** Names an insert of one person, `createdBy` as `issuer subject`: for others it does not exist. */
export type OwnInsert = InsertKey & { createdBy: string }

/** Opens an insert under the repository's next item id; `expiresAt` in milliseconds since 1970. */
export async function openInsert(
  transaction: Write,
  insert: Omit<OwnInsert, 'itemId'> & { deadlineMs: number },
): Promise<{ itemId: number; expiresAt: number }> {
  const { itemId } = await transaction
    .updateTable('datasets')
    .set((row) => ({ next_item_id: row('next_item_id', '+', 1) }))
    .where('id', '=', insert.datasetId)
    .returning((row) => row('next_item_id', '-', 1).as('itemId'))
    .executeTakeFirstOrThrow()
  const { expiresAt } = await transaction
    .insertInto('inserts')
    .values({
      dataset_id: insert.datasetId,
      item_id: itemId,
      created_by: insert.createdBy,
      expires_at: fromNow(insert.deadlineMs),
    })
    .returning('expires_at as expiresAt')
    .executeTakeFirstOrThrow()
  return { itemId, expiresAt }
}

/** A committed insert is not found: its item is. */
export function findInsert(
  db: Db,
  { datasetId, itemId, createdBy }: OwnInsert,
): Promise<{ isExpired: boolean } | undefined> {
  return db
    .selectFrom('inserts')
    .select(({ eb }) => eb('expires_at', '<=', now).as('isExpired'))
    .where('dataset_id', '=', datasetId)
    .where('item_id', '=', itemId)
    .where('created_by', '=', createdBy)
    .executeTakeFirst()
    .then((row) => row && { isExpired: Boolean(row.isExpired) })
}

/** Of these ids, those with an insert that is open. */
export async function listOpenInserts(
  db: Db,
  { datasetId, itemIds }: { datasetId: number; itemIds: number[] },
): Promise<number[]> {
  if (itemIds.length === 0) return []
  const rows = await db
    .selectFrom('inserts')
    .select('item_id')
    .where('dataset_id', '=', datasetId)
    .where('item_id', 'in', itemIds)
    .execute()
  return rows.map(({ item_id: itemId }) => itemId)
}

/** Finds an insert as `findInsert` does, and locks it until the transaction ends. */
export async function lockInsert(
  transaction: Write,
  insert: OwnInsert,
): Promise<{ isExpired: boolean } | undefined> {
  await lockRow(transaction, insert)
  return findInsert(transaction, insert)
}

async function lockRow(transaction: Write, { datasetId, itemId }: InsertKey): Promise<void> {
  await transaction
    .selectFrom('inserts')
    .select('item_id')
    .where('dataset_id', '=', datasetId)
    .where('item_id', '=', itemId)
    .modifyEnd(rowLock('change'))
    .execute()
}

/** Moves the deadline of an open insert; an expired one stays expired. */
export async function renewInsert(
  transaction: Write,
  { datasetId, itemId }: InsertKey,
  deadlineMs: number,
): Promise<void> {
  await transaction
    .updateTable('inserts')
    .set({ expires_at: fromNow(deadlineMs) })
    .where('dataset_id', '=', datasetId)
    .where('item_id', '=', itemId)
    .where('expires_at', '>', now)
    .execute()
}

/** Ends an insert, and with it the leases of its blobs. */
export async function endInsert(
  transaction: Write,
  { datasetId, itemId }: InsertKey,
): Promise<void> {
  await transaction
    .deleteFrom('inserts')
    .where('dataset_id', '=', datasetId)
    .where('item_id', '=', itemId)
    .execute()
}

/** Puts values in place of those that were uploaded for the same fields before. */
export async function putInsertValues(
  transaction: Write,
  { datasetId, itemId }: InsertKey,
  values: ReadonlyMap<string, StoredValue>,
): Promise<void> {
  for (const [field, value] of values) {
    const row = toRow(value)
    await transaction
      .insertInto('insert_values')
      .values({ dataset_id: datasetId, item_id: itemId, field, ...row })
      .onConflict((conflict) =>
        conflict.columns(['dataset_id', 'item_id', 'field']).doUpdateSet(row),
      )
      .execute()
  }
}

export async function readInsertValues(
  db: Db,
  { datasetId, itemId }: InsertKey,
  schema: readonly SchemaField[],
): Promise<Map<string, StoredValue>> {
  const rows = await db
    .selectFrom('insert_values')
    .selectAll()
    .where('dataset_id', '=', datasetId)
    .where('item_id', '=', itemId)
    .execute()
  const fields = new Map(schema.map((field) => [field.name, field]))
  return new Map(rows.map((row) => [row.field, toValue(row, fields.get(row.field)!)]))
}

type ValueRow = Omit<InsertValuesTable, 'dataset_id' | 'item_id' | 'field'>

/** Cells stand as text here, but for whole numbers. */
function toRow({ cell, sha256, size, mime }: StoredValue): ValueRow {
  const isBinary = mime !== undefined
  return {
    sha256,
    size,
    mime: mime ?? null,
    text: isBinary || Number.isSafeInteger(cell) ? null : String(cell),
    reference: isBinary || !Number.isSafeInteger(cell) ? null : Number(cell),
  }
}

function toValue(
  { text, reference, mime, sha256, size }: ValueRow,
  field: SchemaField,
): StoredValue {
  const { type } = field
  if (mime !== null) return { type, cell: sha256, sha256, size, mime }
  const cell = textOf(field)?.cell === 'number' ? Number(reference ?? text) : (reference ?? text)
  return { type, cell: cell ?? '', sha256, size }
}

/** An expired insert. The list of them goes on after the last one that was seen. */
export type ExpiredInsert = InsertKey & { expiresAt: number; hasValues: boolean }

/** Expired inserts in the order in which they expired. */
export async function listExpiredInserts(
  db: Db,
  after: Pick<ExpiredInsert, 'expiresAt' | keyof InsertKey>,
  limit: number,
): Promise<ExpiredInsert[]> {
  const { rows } = await sql<Omit<ExpiredInsert, 'hasValues'> & { hasValues: number }>`
    select dataset_id as "datasetId", item_id as "itemId", expires_at as "expiresAt",
      exists (
        select 1 from insert_values
        where insert_values.dataset_id = inserts.dataset_id
          and insert_values.item_id = inserts.item_id
      ) as "hasValues"
    from inserts
    where expires_at <= ${now} and expires_at >= ${after.expiresAt}
      and (expires_at, dataset_id, item_id)
        > (${after.expiresAt}, ${after.datasetId}, ${after.itemId})
    order by expires_at, dataset_id, item_id limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, hasValues: Boolean(row.hasValues) }))
}

/** Drops what was uploaded for an expired insert, whose row stays to tell it from an unknown one. */
export async function dropExpiredValues(
  transaction: Write,
  { datasetId, itemId }: InsertKey,
): Promise<void> {
  // A commit that began in time may be under way, and needs its leases to the end.
  await lockRow(transaction, { datasetId, itemId })
  await transaction
    .deleteFrom('insert_values')
    .where('dataset_id', '=', datasetId)
    .where('item_id', '=', itemId)
    .execute()
}

function fromNow(ms: number): RawBuilder<number> {
  return sql<number>`${now} + ${ms}`
}
