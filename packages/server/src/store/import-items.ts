import type { SchemaField } from '@vitrine/contract'
import { hashBytes } from '@vitrine/transparency-log'
import { sql, type RawBuilder } from 'kysely'
import { listedBytes, listedCell, listedIndex, listedRows, rowLock } from './expressions.ts'
import { columnsOf, creationTime, itemTable } from './items.ts'
import type { Correction } from './corrections.ts'
import { correctedBy, entryTime, leafOf, nonceOf, type Nonces } from './leaf.ts'
import { now } from './engine-sql.ts'
import { personNumber, subjectOf } from './people.ts'
import { toChecks } from './row-digests.ts'
import type { Transaction } from './store.ts'

/**
 * Checked rows as they wait to be published: JSON in UTF-8, a list of rows, each a list of its cells in the
 * order of the item table's columns; their digests, as that table has them, one row after the other; the seal of
 * each; and what they correct. Rows that were checked before the schema was extended have none of what is new, those
 * that were before there were logs have no seals.
 */
export type CheckedRows = {
  count: number
  rows: Uint8Array<ArrayBuffer>
  digests: Uint8Array<ArrayBuffer>
  seals: Uint8Array<ArrayBuffer> | undefined
  /** Correction that each row is; undefined where none is one. */
  corrections: readonly (RowCorrection | undefined)[] | undefined
}

/** Correction that a row is, with its reason where that is not the one of the import. */
export type RowCorrection = Pick<Correction, 'replaces' | 'withdraws'> & {
  reason?: string | undefined
}

/**
 * Position, id, time and author (`issuer subject`) of the items of an import, and the reason of those that correct
 * others and have none of their own.
 */
export type Place = {
  position: number
  itemId: number
  createdAt: number
  author: string
  reason?: string | undefined
}

/**
 * An import either writes or, once it is decided how it ends, removes what it wrote; a process that
 * wakes after another one has taken its place must do neither out of turn.
 */
type Step = 'writing' | 'withdrawing'

/** Adds items beyond the head of a repository, the first one at `place`. */
export function insertCheckedRows(
  { id, schema, nonces }: { id: number; schema: readonly SchemaField[]; nonces: Nonces },
  { count, rows, digests, seals, corrections }: CheckedRows,
  { position, itemId, createdAt, author, reason = '' }: Place,
): RawBuilder<unknown>[] {
  const columns = schema.flatMap(columnsOf)
  const cellOf = (index: number) => listedCell(index, columns[index]!.kind)
  const checks = toChecks(digests, { rows: count })
  const from = sql`from ${listedRows(rows)}`
  const leaf =
    seals === undefined
      ? sql`null`
      : listedBytes(
          leavesOf({ seals, corrections, nonces }, { position, itemId, createdAt, author }),
          hashBytes,
        )
  const insertItem = sql`
    insert into ${itemTable(id)} (
      position, id, created_at, digests, author, leaf, ${sql.join(columns.map(({ name }) => sql.ref(name)))}
    )
    select ${position} + ${listedIndex}, ${itemId} + ${listedIndex}, ${createdAt},
      ${listedBytes(checks, checks.length / count)}, ${personNumber(author)}, ${leaf},
      ${sql.join(columns.map((_, index) => cellOf(index)))} ${from}`
  const insertReferences = columns.flatMap(({ name }, index) => {
    if (!name.endsWith('_size')) return []
    const sha256 = cellOf(index - 2)
    const insertReference = sql`
      insert into blob_references (sha256, dataset_id, item_id)
      select ${sha256}, ${sql.lit(id)}, ${itemId} + ${listedIndex} ${from}
      where ${sha256} is not null on conflict do nothing`
    return [insertReference]
  })
  const listed = (corrections ?? []).flatMap((each, at): ListedCorrection[] => {
    if (each === undefined) return []
    const { replaces, withdraws, reason: own = reason } = each
    return [[position + at, itemId + at, replaces, withdraws ? 1 : 0, own]]
  })
  return [insertItem, ...insertReferences, ...insertCorrections(id, listed)]
}

type ListedCorrection = [
  position: number,
  itemId: number,
  replaces: number,
  withdraws: 0 | 1,
  reason: string,
]

/** Writes which items those beyond the head correct; they do once they are committed. */
function insertCorrections(
  repoId: number,
  corrections: readonly ListedCorrection[],
): RawBuilder<unknown>[] {
  if (corrections.length === 0) return []
  const [position, itemId, replaces, withdraws] = [0, 1, 2, 3].map((at) =>
    listedCell(at, 'integer'),
  )
  const from = sql`from ${listedRows(new TextEncoder().encode(JSON.stringify(corrections)))}`
  return [
    sql`
      insert into corrections
        (dataset_id, replaces_id, item_id, first_id, position, withdraws, reason)
      select ${sql.lit(repoId)}, ${replaces}, ${itemId}, coalesce((
          select first_id from corrections as earlier
          where earlier.dataset_id = ${sql.lit(repoId)} and earlier.item_id = ${replaces}
        ), ${replaces}), ${position}, ${withdraws}, ${listedCell(4, 'text')}
      ${from}`,
    // What withdraws an item never holds, also when it is corrected itself.
    sql`
      insert into superseded (dataset_id, position, since)
      select ${sql.lit(repoId)}, (
          select position from ${itemTable(repoId)} as item where item.id = ${replaces}
        ), ${position}
      ${from} where true on conflict (dataset_id, position) do nothing`,
    ...(corrections.some(([, , , isWithdrawing]) => isWithdrawing === 1)
      ? [
          sql`
            insert into superseded (dataset_id, position, since)
            select ${sql.lit(repoId)}, ${position}, ${position} ${from} where ${withdraws} = 1`,
        ]
      : []),
  ]
}

/**
 * Claims a step of an import, and notes how many of its rows are there after it; its repository may be
 * deleted meanwhile, and what it had is then being removed.
 */
export function recordPublishedRows({
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

/** The hashes of the entries of items one after the other, whose ids follow each other. */
function leavesOf(
  {
    seals,
    corrections,
    nonces,
  }: { seals: Uint8Array; corrections: CheckedRows['corrections']; nonces: Nonces },
  { position, itemId, createdAt, author }: Omit<Place, 'reason'>,
): Uint8Array {
  const hex = Buffer.from(seals.buffer, seals.byteOffset, seals.length).toString('hex')
  const leaves = new Uint8Array(seals.length)
  const shared = { createdAt: entryTime(createdAt), by: subjectOf(author) }
  for (let at = 0; at < seals.length; at += hashBytes) {
    const seal = hex.slice(2 * at, 2 * (at + hashBytes))
    const row = at / hashBytes
    const correction = corrections?.[row]
    const corrected = correction && correctedBy(correction)
    const id = itemId + row
    const nonce = nonceOf(nonces, { id, position: position + row })
    leaves.set(leafOf({ ...shared, id, ...nonce, seal, ...corrected }), at)
  }
  return leaves
}

/** Reserves positions and ids for an import; no other items are added until it ends. */
export async function reserveItems(
  transaction: Transaction,
  { datasetId, importId, rows }: { datasetId: number; importId: number; rows: number },
): Promise<Omit<Place, 'author' | 'reason'>> {
  return transaction
    .updateTable('datasets')
    .set((row) => ({
      next_item_id: row('next_item_id', '+', rows),
      publishing_import: importId,
    }))
    .where('id', '=', datasetId)
    .returning((row) => [
      'next_position as position',
      row('next_item_id', '-', rows).as('itemId'),
      creationTime(datasetId, sql`next_position`).as('createdAt'),
    ])
    .executeTakeFirstOrThrow()
}

/** Lets no other items be added to a repository until an import ends. */
export async function takeTurn(
  transaction: Transaction,
  { datasetId, importId }: { datasetId: number; importId: number },
): Promise<void> {
  await transaction
    .updateTable('datasets')
    .set({ publishing_import: importId })
    .where('id', '=', datasetId)
    .execute()
}

/** Lets everybody see the items of an import, all at once, or, with no rows, gives up its turn. */
export async function endPublishing(
  transaction: Transaction,
  { datasetId, importId, rows }: { datasetId: number; importId: number; rows: number },
): Promise<void> {
  await transaction
    .updateTable('datasets')
    .set((row) => ({ next_position: row('next_position', '+', rows), publishing_import: null }))
    .where('id', '=', datasetId)
    .where('publishing_import', '=', importId)
    .execute()
}

/** Removes items that were added beyond the head, and what they say of blobs and replace. */
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
    sql`
      delete from corrections where dataset_id = ${id} and item_id in (
        select id from ${table} where ${isIn}
      )`,
    sql`delete from superseded where dataset_id = ${id} and since >= ${from} and since < ${to}`,
    sql`delete from ${table} where ${isIn}`,
  ]
}

/**
 * Removes some of the items beyond the head of a deleted repository, which an import left that the deletion ended.
 * @returns whether there may be more
 */
export async function removeBeyondHead(
  transaction: Transaction,
  { id, head, count }: { id: number; head: number; count: number },
): Promise<boolean> {
  const { rows } = await sql<{ last: number | null }>`
    select max(position) as last from ${itemTable(id)}`.execute(transaction)
  const last = rows[0]?.last ?? -1
  if (last < head) return false
  const from = Math.max(head, last + 1 - count)
  for (const statement of removeUnpublished({ id }, { from, to: last + 1 })) {
    await statement.execute(transaction)
  }
  return from > head
}
