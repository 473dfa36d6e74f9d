import type { SchemaField } from '@vitrine/contract'
import { sql, type RawBuilder, type Transaction } from 'kysely'
import { listedBytes, listedCell, listedIndex, listedRows, rowLock } from './expressions.ts'
import { columnsOf, creationTime, itemTable } from './items.ts'
import { now } from './now.ts'
import type { Tables } from './tables.ts'

type Write = Transaction<Tables>

/**
 * Checked rows as they wait to be published: JSON in UTF-8, a list of rows, each a list of its cells in the
 * order of the item table's columns; and their digests, as that table has them, one row after the other.
 * Rows that were checked before the schema was extended have none of what is new.
 */
export type CheckedRows = {
  count: number
  rows: Uint8Array<ArrayBuffer>
  digests: Uint8Array<ArrayBuffer>
}

type Place = { position: number; itemId: number }

/**
 * An import either writes or, once it is decided how it ends, removes what it wrote; a process that
 * wakes after another one has taken its place must do neither out of turn.
 */
type Step = 'writing' | 'withdrawing'

/** Adds items beyond the head of a repository, the first one at `place`. */
export function insertCheckedRows(
  { id, schema }: { id: number; schema: readonly SchemaField[] },
  { count, rows, digests }: CheckedRows,
  { position, itemId }: Place,
): RawBuilder<unknown>[] {
  const columns = schema.flatMap(columnsOf)
  const cellOf = (index: number) => listedCell(index, columns[index]!.kind)
  const rowDigestBytes = digests.length / count
  const from = sql`from ${listedRows(rows)}`
  const insertItem = sql`
    insert into ${itemTable(id)} (
      position, id, created_at, digests, ${sql.join(columns.map(({ name }) => sql.ref(name)))}
    )
    select ${position} + ${listedIndex}, ${itemId} + ${listedIndex}, ${creationTime(id, position)},
      ${listedBytes(digests, rowDigestBytes)}, ${sql.join(columns.map((_, index) => cellOf(index)))} ${from}`
  const insertReferences = columns.flatMap(({ name }, index) => {
    if (!name.endsWith('_size')) return []
    const sha256 = cellOf(index - 2)
    const insertReference = sql`
      insert into blob_references (sha256, dataset_id, item_id)
      select ${sha256}, ${sql.lit(id)}, ${itemId} + ${listedIndex} ${from}
      where ${sha256} is not null on conflict do nothing`
    return [insertReference]
  })
  return [insertItem, ...insertReferences]
}

/**
 * Claims a step of an import, and notes how many of its rows are there after it; its repository may be
 * deleted meanwhile, and what it had is then being removed.
 */
export function notePublishedRows({
  importId,
  datasetId,
  rows,
  step,
}: {
  importId: number
  datasetId: number
  rows: number
  step: Step
}): RawBuilder<unknown> {
  return sql`
    update imports set published_rows = ${rows}, touched_at = ${now}
    where id = ${importId} and state = 'publishing'
      and ends_as is ${step === 'writing' ? sql`null` : sql`not null`}
      and exists (select 1 from datasets where id = ${datasetId} ${rowLock('keep')})`
}

/** Reserves positions and ids for an import; no other items are added until it ends. */
export async function reserveItems(
  transaction: Write,
  { datasetId, importId, rows }: { datasetId: number; importId: number; rows: number },
): Promise<Place> {
  return transaction
    .updateTable('datasets')
    .set((row) => ({
      next_item_id: row('next_item_id', '+', rows),
      publishing_import: importId,
    }))
    .where('id', '=', datasetId)
    .returning((row) => ['next_position as position', row('next_item_id', '-', rows).as('itemId')])
    .executeTakeFirstOrThrow()
}

/** Lets everybody see the items of an import, all at once, or, with no rows, gives up its turn. */
export async function endPublishing(
  transaction: Write,
  { datasetId, importId, rows }: { datasetId: number; importId: number; rows: number },
): Promise<void> {
  await transaction
    .updateTable('datasets')
    .set((row) => ({ next_position: row('next_position', '+', rows), publishing_import: null }))
    .where('id', '=', datasetId)
    .where('publishing_import', '=', importId)
    .execute()
}

/** Removes items that were added beyond the head, and what they say of blobs. */
export function removeUnpublished(
  { id }: { id: number },
  { from, to }: { from: number; to: number },
): RawBuilder<unknown>[] {
  const table = itemTable(id)
  const isIn = sql`position >= ${from} and position < ${to}`
  return [
    sql`
      delete from blob_references where dataset_id = ${id} and item_id in (
        select id from ${table} where ${isIn}
      )`,
    sql`delete from ${table} where ${isIn}`,
  ]
}
