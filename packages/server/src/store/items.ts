import { textOf, type CellKind, type FieldType, type SchemaField } from '@vitrine/contract'
import { sql, type Transaction } from 'kysely'
import { bytes, integer, number, strict, text } from './column-types.ts'
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
//   f<n>        the value of the schema's n-th field: its cell (`TextForm.toCell`), or the sha256 of a
//               binary, which has f<n>_mime and f<n>_size beside it; NULL where it is absent
//   digests     the sha256 of every value that is written as text, in schema order, 32 bytes each; zeros
//               for an absent value, and nothing for fields that the schema did not have yet
// Names reach SQL only as these generated identifiers.

/** A value of an item: what its column holds, and what is sealed of it. */
export type StoredValue = {
  type: FieldType
  /** Of a binary its sha256. */
  cell: string | number
  /** In lowercase hex. */
  sha256: string
  /** Bytes of its canonical text, or of a binary. */
  size: number
  /** Of a binary. */
  mime?: string
}

/** Where a field of a dataset lies in its repository's table. */
export type StoredField = {
  name: string
  type: FieldType
  column: string
  /** Where in `digests` its digest begins; a binary's is its value. */
  digestAt: number
}

/**
 * Where the committed items of a repository end. An import writes its items beyond before all of them
 * are committed at once, so whoever reads a repository's table stays below. NULL where the repository has
 * no longer the `revision`, if one is given.
 */
export const headOf = (repoId: number, revision?: number) => sql<number>`(
  select next_position from datasets where id = ${sql.lit(repoId)}
  ${revision === undefined ? sql`` : sql`and revision = ${sql.lit(revision)}`})`

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
    if (textOf({ type }) !== undefined) digestAt += digestBytes
    return field
  })
}

/** A column of an item table. */
export type ItemColumn = { name: string; kind: CellKind; optional: boolean }

/** The columns of the n-th field of a schema. */
export function columnsOf(field: SchemaField, index: number): ItemColumn[] {
  const column = (suffix: string, kind: CellKind) => {
    return { name: `f${index}${suffix}`, kind, optional: field.optional === true }
  }
  const text = textOf(field)
  return text === undefined
    ? [column('', 'text'), column('_mime', 'text'), column('_size', 'integer')]
    : [column('', text.cell)]
}

export const cellTypes: Record<CellKind, Expression> = { text, integer, number }

export async function createItemTable(
  transaction: Transaction<Tables>,
  { id, schema }: { id: number; schema: readonly SchemaField[] },
): Promise<void> {
  const columns = schema
    .flatMap(columnsOf)
    .map(
      ({ name, kind, optional }) =>
        sql`${sql.ref(name)} ${cellTypes[kind]} ${optional ? sql`` : sql`not null`}`,
    )
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
  const columns = dataset.schema.flatMap(columnsOf)
  const digests = dataset.schema.flatMap((field, index) =>
    textOf(field) === undefined ? [] : [values[index]?.sha256 ?? noDigest],
  )
  const cells = dataset.schema.flatMap((field, index) => toCells(field, values[index]))
  await sql`
    insert into ${itemTable(dataset.id)}
      (position, id, created_at, digests, ${sql.join(columns.map(({ name }) => sql.ref(name)))})
    values (${position}, ${item.id}, ${creationTime(dataset.id, position)},
      ${Buffer.from(digests.join(''), 'hex')}, ${sql.join(cells)})
  `.execute(transaction)
  return position
}

function toCells(field: SchemaField, value: StoredValue | undefined) {
  const { cell = null, mime = null, size = null } = value ?? {}
  return textOf(field) === undefined ? [cell, mime, size] : [cell]
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
