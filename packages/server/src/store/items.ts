import type { SchemaField } from '@vitrine/contract'
import { sql, type Transaction } from 'kysely'
import { bytes, integer, strict, text } from './column-types.ts'
import { digestBytes, noDigest } from './digest-bytes.ts'
import type { Expression } from './engine-sql.ts'
import { numbers } from './expressions.ts'
import { now } from './now.ts'
import type { Db } from './store.ts'
import type { Tables } from './tables.ts'

// A repository's items are one table, `items_<dataset id>`:
//   position    dense from 0 in commit order: page p of s is p*s <= position < (p+1)*s, the next one
//               is the count
//   id          given when the insert began, so abandoned inserts leave gaps
//   created_at  milliseconds since 1970 UTC, never less than at the position before
//   f<n>        the value of the schema's n-th field: its text, the id it refers to, or the sha256 of
//               a binary, which has f<n>_mime and f<n>_size beside it; NULL where it is absent
//   digests     the sha256 of every string and reference field, in schema order, 32 bytes each; zeros
//               for an absent value
// Names reach SQL only as these generated identifiers (design.md §9).

/** A value of a committed item with its sha256 in lowercase hex. */
export type StoredValue =
  | { type: 'string'; text: string; sha256: string }
  | { type: 'reference'; id: number; sha256: string }
  | { type: 'binary'; sha256: string; size: number; mime: string }

/** Where a field of a dataset lies in its repository's table. */
export type StoredField = {
  name: string
  type: SchemaField['type']
  column: string
  /** Where in `digests` its digest begins; a binary's is its value. */
  digestAt: number
}

/**
 * Where the committed items of a repository end. An import writes its items beyond before all of them
 * are committed at once, so whoever reads a repository's table stays below.
 */
export const headOf = (repoId: number) =>
  sql<number>`(select next_position from datasets where id = ${sql.lit(repoId)})`

export const itemTable = (repoId: number) => sql.table(`items_${repoId}`)

/** When an item is made that goes to a position: now, or with the item before it where the clock was set back. */
export const creationTime = (repoId: number, position: number) => sql<number>`(
  select max(moment) from (
    select ${now} as moment
    union all select created_at from ${itemTable(repoId)} where position = ${position} - 1
  ) as moments)`

/** Lays out the fields of a repository's schema. */
export function layOutFields(schema: readonly SchemaField[]): StoredField[] {
  let digestAt = 0
  return schema.map(({ name, type }, index) => {
    const field = { name, type, column: `f${index}`, digestAt }
    if (type !== 'binary') digestAt += digestBytes
    return field
  })
}

export async function createItemTable(
  transaction: Transaction<Tables>,
  { id, schema }: { id: number; schema: readonly SchemaField[] },
): Promise<void> {
  const columns = schema.flatMap((field, index) => {
    const constraint = field.optional === true ? sql`` : sql`not null`
    const column = (suffix: string, type: Expression) =>
      sql`${sql.ref(`f${index}${suffix}`)} ${type} ${constraint}`
    switch (field.type) {
      case 'string':
        return [column('', text)]
      case 'reference':
        return [column('', integer)]
      case 'binary':
        return [column('', text), column('_mime', text), column('_size', integer)]
    }
  })
  await sql`
    create table ${itemTable(id)} (
      position ${integer} primary key,
      id ${integer} not null unique,
      created_at ${integer} not null,
      digests ${bytes} not null,
      ${sql.join(columns)}
    ) ${strict}`.execute(transaction)
}

/**
 * Adds a committed item at the next position. Whoever calls has checked that the values conform to the
 * schema.
 * @returns its position
 */
export async function insertItem(
  transaction: Transaction<Tables>,
  dataset: { id: number; schema: readonly SchemaField[] },
  item: { id: number; values: ReadonlyMap<string, StoredValue> },
): Promise<number> {
  const { position } = await transaction
    .updateTable('datasets')
    .set((row) => ({ next_position: row('next_position', '+', 1) }))
    .where('id', '=', dataset.id)
    .returning((row) => row('next_position', '-', 1).as('position'))
    .executeTakeFirstOrThrow()
  const values = dataset.schema.map((field) => item.values.get(field.name))
  const columns = dataset.schema.flatMap(({ type }, index) =>
    type === 'binary' ? [`f${index}`, `f${index}_mime`, `f${index}_size`] : [`f${index}`],
  )
  const digests = dataset.schema.flatMap(({ type }, index) =>
    type === 'binary' ? [] : [values[index]?.sha256 ?? noDigest],
  )
  const cells = dataset.schema.flatMap(({ type }, index) => toCells(type, values[index]))
  await sql`
    insert into ${itemTable(dataset.id)}
      (position, id, created_at, digests, ${sql.join(columns.map((column) => sql.ref(column)))})
    values (${position}, ${item.id}, ${creationTime(dataset.id, position)},
      ${Buffer.from(digests.join(''), 'hex')}, ${sql.join(cells)})
  `.execute(transaction)
  return position
}

function toCells(type: SchemaField['type'], value: StoredValue | undefined) {
  switch (value?.type) {
    case 'string':
      return [value.text]
    case 'reference':
      return [value.id]
    case 'binary':
      return [value.sha256, value.mime, value.size]
    case undefined:
      return type === 'binary' ? [null, null, null] : [null]
  }
}

/** Whether a repository has a committed item of this id. */
export async function hasStoredItem(db: Db, repoId: number, itemId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${itemTable(repoId)}
    where id = ${itemId} and position < ${headOf(repoId)}`.execute(db)
  return rows.length > 0
}

/** Of these ids, those that no committed item of a repository has. */
export async function listMissingItems(
  db: Db,
  repoId: number,
  ids: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select value as id from ${numbers(ids)}
    where not exists (
      select 1 from ${itemTable(repoId)} as item
      where item.id = value and item.position < ${headOf(repoId)}
    )`.execute(db)
  return rows.map(({ id }) => id)
}
