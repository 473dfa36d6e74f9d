import { type SchemaField, textOf } from '@vitrine/contract'
import { sql } from 'kysely'
import { integer, now } from './engine-sql.ts'
import { rowLock } from './expressions.ts'
import type { StoredValue } from './items.ts'
import { statement } from './statement.ts'
import type { Db, Transaction } from './store.ts'
import type { InsertValuesTable } from './tables.ts'

/** Names one insert: the repository and the id that its item is going to have. */
export type InsertKey = { datasetId: number; itemId: number }

/** The `concurrencyKey` of writes to an insert, and of the one that makes it an item. */
export const concurrencyKeyOf = ({ datasetId, itemId }: InsertKey): string =>
  `insert ${datasetId} ${itemId}`

/** Names an insert of one person, `createdBy` as `issuer subject`: for others it does not exist. */
export type OwnInsert = InsertKey & { createdBy: string }

/** An item that an insert corrects, and why. */
export type InsertCorrection = { replaces: number; reason: string }

/**
 * Opens an insert under an id that nobody had; gives when it expires, in milliseconds since 1970, or undefined
 * where its repository is gone.
 */
export async function openInsert(
  transaction: Transaction,
  {
    correction,
    ...insert
  }: OwnInsert & { deadlineMs: number; correction?: InsertCorrection | undefined },
): Promise<number | undefined> {
  const { replaces = null, reason = null } = correction ?? {}
  const [opened] = await insertInsert(transaction, { ...insert, replaces, reason })
  return opened?.expiresAt
}

const insertInsert = statement<
  OwnInsert & { deadlineMs: number; replaces: number | null; reason: string | null },
  { expiresAt: number }
>(
  (slot) => sql`
    insert into inserts (dataset_id, item_id, created_by, expires_at, replaces_id, reason)
    select id, cast(${slot('itemId')} as ${integer}), cast(${slot('createdBy')} as text),
      ${now} + cast(${slot('deadlineMs')} as ${integer}),
      cast(${slot('replaces')} as ${integer}), cast(${slot('reason')} as text)
    from datasets where id = ${slot('datasetId')} ${rowLock('keep')}
    returning expires_at as "expiresAt"`,
)

/** A committed insert is not found: its item is. */
export async function findInsert(db: Db, insert: OwnInsert): Promise<FoundInsert | undefined> {
  const [row] = await selectInsert(db, insert)
  if (row === undefined) return undefined
  const { isExpired, replaces, reason } = row
  const correction = replaces === null ? undefined : { replaces, reason: reason! }
  return { isExpired: Boolean(isExpired), correction }
}

type FoundInsert = { isExpired: boolean; correction: InsertCorrection | undefined }

const selectInsert = statement<
  OwnInsert,
  { isExpired: boolean | number; replaces: number | null; reason: string | null }
>(
  (slot) => sql`
    select expires_at <= ${now} as "isExpired", replaces_id as replaces, reason from inserts
    where dataset_id = ${slot('datasetId')} and item_id = ${slot('itemId')}
      and created_by = ${slot('createdBy')}`,
)

/** Lists the ids, of those given, that have an open insert. */
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
  transaction: Transaction,
  insert: OwnInsert,
): Promise<FoundInsert | undefined> {
  await lockRow(transaction, insert)
  return findInsert(transaction, insert)
}

const lockRow = statement<InsertKey>(
  (slot) => sql`
    select item_id from inserts
    where dataset_id = ${slot('datasetId')} and item_id = ${slot('itemId')} ${rowLock('change')}`,
)

/**
 * Moves the deadline of an open insert, and locks it until the transaction ends.
 * @returns whether it is open: an expired one stays expired
 */
export async function renewInsert(
  transaction: Transaction,
  insert: OwnInsert,
  deadlineMs: number,
): Promise<boolean> {
  return (await moveDeadline(transaction, { ...insert, deadlineMs })).length > 0
}

const moveDeadline = statement<OwnInsert & { deadlineMs: number }>(
  (slot) => sql`
    update inserts set expires_at = ${now} + cast(${slot('deadlineMs')} as ${integer})
    where dataset_id = ${slot('datasetId')} and item_id = ${slot('itemId')}
      and created_by = ${slot('createdBy')} and expires_at > ${now}
    returning item_id`,
)

/** Ends an insert, and with it the leases of its blobs. */
export async function endInsert(transaction: Transaction, insert: InsertKey): Promise<void> {
  await deleteInsert(transaction, insert)
}

const deleteInsert = statement<InsertKey>(
  (slot) => sql`
    delete from inserts
    where dataset_id = ${slot('datasetId')} and item_id = ${slot('itemId')}`,
)

/** Puts values in place of those that were uploaded for the same fields before. */
export async function putInsertValues(
  transaction: Transaction,
  { datasetId, itemId }: InsertKey,
  values: ReadonlyMap<string, StoredValue>,
): Promise<void> {
  for (const [field, value] of values) {
    await putInsertValue(transaction, { datasetId, itemId, field, ...toRow(value) })
  }
}

const putInsertValue = statement<InsertKey & { field: string } & ValueRow>(
  (slot) => sql`
    insert into insert_values (dataset_id, item_id, field, text, reference, sha256, size, mime)
    values (${slot('datasetId')}, ${slot('itemId')}, ${slot('field')}, ${slot('text')},
      ${slot('reference')}, ${slot('sha256')}, ${slot('size')}, ${slot('mime')})
    on conflict (dataset_id, item_id, field) do update set text = excluded.text,
      reference = excluded.reference, sha256 = excluded.sha256, size = excluded.size,
      mime = excluded.mime`,
)

export async function readInsertValues(
  db: Db,
  { datasetId, itemId }: InsertKey,
  schema: readonly SchemaField[],
): Promise<Map<string, StoredValue>> {
  const rows = await selectInsertValues(db, { datasetId, itemId })
  const fields = new Map(schema.map((field) => [field.name, field]))
  return new Map(rows.map((row) => [row.field, toValue(row, fields.get(row.field)!)]))
}

const selectInsertValues = statement<InsertKey, ValueRow & { field: string }>(
  (slot) => sql`
    select field, text, reference, sha256, size, mime from insert_values
    where dataset_id = ${slot('datasetId')} and item_id = ${slot('itemId')}`,
)

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
  transaction: Transaction,
  { datasetId, itemId }: InsertKey,
): Promise<void> {
  // A commit that began in time may be under way, and needs its leases to the end.
  await lockRow(transaction, { datasetId, itemId })
  // It may have been renewed while this waited.
  if (!(await isExpired(transaction, { datasetId, itemId }))) return
  await transaction
    .deleteFrom('insert_values')
    .where('dataset_id', '=', datasetId)
    .where('item_id', '=', itemId)
    .execute()
}

async function isExpired(db: Db, { datasetId, itemId }: InsertKey): Promise<boolean> {
  const expired = await db
    .selectFrom('inserts')
    .select('item_id')
    .where('dataset_id', '=', datasetId)
    .where('item_id', '=', itemId)
    .where('expires_at', '<=', now)
    .execute()
  return expired.length > 0
}
