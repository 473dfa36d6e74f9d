import { type CellKind, type FieldType, type SchemaField, textOf } from '@vitrine/contract'
import { sql } from 'kysely'
import { LruCache } from '../runtime/lru-cache.ts'
import { type Expression, bytes, integer, now, number, strict, text } from './engine-sql.ts'
import type { Correction } from './corrections.ts'
import type { DatasetVersion } from './datasets.ts'
import { digestBytes, noDigest } from './digest-bytes.ts'
import { numbers } from './expressions.ts'
import { correctedBy, entryTime, leafOf, sealOf, nonceOf, type Nonces } from './leaf.ts'
import { personNumber, subjectOf } from './people.ts'
import { toChecks } from './row-digests.ts'
import { type Statement, statement } from './statement.ts'
import type { Db, Transaction } from './store.ts'

// A repository's items are one table, `items_<dataset id>`:
//   position    dense from 0 in commit order: page p of s is p*s <= position < (p+1)*s, the next one
//               is the count
//   id          given when the insert began, so abandoned inserts leave gaps
//   created_at  milliseconds since 1970 UTC, never less than at the position before
//   f<n>        the value of the schema's n-th field: its cell (`TextForm.toCell`), or the sha256 of a
//               binary, which has f<n>_mime and f<n>_size beside it; NULL where it is absent
//   digests     a check of every value that is written as text, by its sha256 (`row-digests.ts`)
//   author      the number of the person who added it
//   leaf        the hash of its entry in the log (docs/log.md); both are NULL of items that are older
// Names reach SQL only as these generated identifiers.

/** A value of an item: what its column holds, and what is sealed of it. */
export type StoredValue = {
  type: FieldType
  /** Cell; the sha256 of a binary. */
  cell: string | number
  /** In lowercase hex. */
  sha256: string
  /** Bytes of its canonical text, or of a binary. */
  size: number
  /** Media type of a binary. */
  mime?: string
}

/** Place of a field of a dataset in its repository's table. */
export type StoredField = {
  name: string
  type: FieldType
  column: string
  /** Offset of its digest among those of an item, 32 bytes each; a binary's is its value. */
  digestAt: number
  /** Bytes of the longest text; 0 of a binary. */
  bytesMax: number
}

/**
 * Position behind the last committed item of a repository. An import writes its items beyond before all of them are
 * committed at once, so reads of a repository's table stay below. NULL where the repository is of
 * another version than the one that is given.
 */
export const headOf = (
  repoId: number,
  version?: Pick<DatasetVersion, 'revision' | 'accessRevision'>,
) => sql<number>`(
  select next_position from datasets where id = ${sql.lit(repoId)}
  ${
    version === undefined
      ? sql``
      : sql`and revision = ${sql.lit(version.revision)}
          and access_revision = ${sql.lit(version.accessRevision)}`
  })`

/**
 * Whether a position is below a head. Without the sign SQLite may take this for the end of a range, of which it takes one
 * only, and would read a window to the end of the table.
 */
export const isBelow = (position: Expression, head: Expression): Expression =>
  sql`+${position} < ${head}`

/** The next position of a repository that is there or deleted, which it may become while somebody reads it. */
export const headAnywhere = (repoId: number): Expression => sql`coalesce(
  (select next_position from datasets where id = ${sql.lit(repoId)}),
  (select next_position from deleted_datasets where id = ${sql.lit(repoId)}))`

export const itemTable = (repoId: number) => sql.table(`items_${repoId}`)

/** When an item is made that goes to a position: now, or with the item before it where the clock was set back. */
export const creationTime = (repoId: number, position: Expression) => sql<number>`(
  select max(moment) from (
    select ${now} as moment
    union all select created_at from ${itemTable(repoId)} where position = ${position} - 1
  ) as moments)`

/** Lays out the fields of a repository's schema. */
export function layOutFields(schema: readonly SchemaField[]): StoredField[] {
  let digestAt = 0
  return schema.map((each, index) => {
    const { name, type } = each
    const bytesMax = textOf(each)?.maxBytes(each) ?? 0
    const field = { name, type, column: `f${index}`, digestAt, bytesMax }
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
  transaction: Transaction,
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
      author ${integer},
      leaf ${bytes},
      ${sql.join(columns)}
    ) ${strict}`.execute(transaction)
}

/**
 * Adds a committed item at the next position. Whoever calls has checked that the values conform to the
 * schema, and that its author, an `issuer subject`, was noted.
 * @returns its position
 */
export async function insertItem(
  transaction: Transaction,
  dataset: { id: number; schema: readonly SchemaField[]; nonces: Nonces },
  item: {
    id: number
    values: ReadonlyMap<string, StoredValue>
    author: string
    correction?: Correction | undefined
  },
): Promise<number> {
  const { takePosition, insert } = insertingInto(dataset)
  const [place] = (await takePosition(transaction, {})) as [ItemPlace]
  const { position } = place
  const moment = notBeforeLast(transaction, dataset.id, place.moment)
  const values = dataset.schema.map((field) => item.values.get(field.name))
  const digests = dataset.schema.flatMap((field, index) =>
    textOf(field) === undefined ? [] : [values[index]?.sha256 ?? noDigest],
  )
  const cells = dataset.schema.flatMap((field, index) => toCells(field, values[index]))
  const seal = sealOf([...item.values].map(([field, value]) => ({ field, ...value })))
  const by = subjectOf(item.author)
  const nonce = nonceOf(dataset.nonces, { id: item.id, position })
  const replacing = item.correction && correctedBy(item.correction)
  await insert(transaction, {
    ...Object.fromEntries(cells.map((cell, index) => [`cell${index}`, cell])),
    position,
    id: item.id,
    moment,
    digests: toChecks(Buffer.from(digests.join(''), 'hex')),
    author: item.author,
    leaf: leafOf({ id: item.id, createdAt: entryTime(moment), by, ...nonce, seal, ...replacing }),
  })
  return position
}

type ItemPlace = { position: number; moment: number }

/** Times of the items that a transaction added last to repositories, by their ids. */
const lastMoments = new WeakMap<Transaction, Map<number, number>>()

/** Returns the time of an item, where the row before it may not be written yet: its write runs side by side. */
function notBeforeLast(transaction: Transaction, repoId: number, moment: number): number {
  const ofRepos = lastMoments.get(transaction) ?? new Map<number, number>()
  lastMoments.set(transaction, ofRepos)
  const last = Math.max(moment, ofRepos.get(repoId) ?? moment)
  ofRepos.set(repoId, last)
  return last
}

type Inserting = {
  takePosition: Statement<object, ItemPlace>
  insert: Statement<Record<string, unknown>, object>
}

/** By their schemas, which are one object for as long as a repository is known by its revision. */
const insertingBySchema = new WeakMap<readonly SchemaField[], Map<number, Inserting>>()

function insertingInto({ id, schema }: { id: number; schema: readonly SchemaField[] }): Inserting {
  const ofSchema = insertingBySchema.get(schema) ?? new Map<number, Inserting>()
  insertingBySchema.set(schema, ofSchema)
  const cached = ofSchema.get(id)
  if (cached !== undefined) return cached
  const columns = schema.flatMap(columnsOf)
  const inserting: Inserting = {
    takePosition: statement(
      () => sql`
        update datasets set next_position = next_position + 1 where id = ${sql.lit(id)}
        returning next_position - 1 as position,
          ${creationTime(id, sql`next_position - 1`)} as moment`,
    ),
    insert: statement(
      (slot) => sql`
        insert into ${itemTable(id)} (position, id, created_at, digests, author, leaf,
          ${sql.join(columns.map(({ name }) => sql.ref(name)))})
        values (${slot('position')}, ${slot('id')}, ${slot('moment')}, ${slot('digests')},
          ${personNumber(slot('author'))}, ${slot('leaf')},
          ${sql.join(columns.map((_, index) => slot(`cell${index}`)))})`,
    ),
  }
  ofSchema.set(id, inserting)
  return inserting
}

function toCells(field: SchemaField, value: StoredValue | undefined) {
  const { cell = null, mime = null, size = null } = value ?? {}
  return textOf(field) === undefined ? [cell, mime, size] : [cell]
}

/** Whether a repository has a committed item of this id. */
export async function hasStoredItem(db: Db, repoId: number, itemId: number): Promise<boolean> {
  const find = findingIn.get(repoId, () =>
    statement(
      (slot) => sql`
        select 1 as one from ${itemTable(repoId)}
        where id = ${slot('itemId')} and ${isBelow(sql.ref('position'), headOf(repoId))}`,
    ),
  )
  return (await find(db, { itemId })).length > 0
}

/** By the ids of repositories, for as many as are asked for. */
const findingIn = new LruCache<number, Statement<{ itemId: number }, object>>(1000)

/** Lists the ids, of those given, that no committed item of a repository has. */
export async function listMissingItems(
  db: Db,
  repoId: number,
  ids: readonly number[],
  head: Expression = headOf(repoId),
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select value as id from ${numbers(ids)}
    where not exists (
      select 1 from ${itemTable(repoId)} as item
      where item.id = value and ${isBelow(sql.ref('item.position'), head)}
    )`.execute(db)
  return rows.map(({ id }) => id)
}

/** Change of an item table by the extension of its schema. */
export type ItemTableChange = {
  id: number
  /** The extended schema. */
  schema: readonly SchemaField[]
  /** The index of the first field that is new. */
  from: number
  /** The indexes of fields that were required and are optional now. */
  relaxed: readonly number[]
}

/** The columns that are new, and those that may be empty from now on. */
export function changedColumns({ schema, from, relaxed }: ItemTableChange): {
  added: ItemColumn[]
  relaxed: ItemColumn[]
} {
  return {
    added: schema.flatMap((field, index) => (index < from ? [] : columnsOf(field, index))),
    relaxed: relaxed.flatMap((index) => columnsOf(schema[index]!, index)),
  }
}

/** Counts the committed items from one position to another, which is left out, that a person has added. */
export async function countItemsBy(
  db: Db,
  repoId: number,
  { from, to, key }: { from: number; to: number; key: string },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${itemTable(repoId)} as item
    join people on people.id = item.author
    where item.position >= ${from} and item.position < ${to}
    and ${isBelow(sql.ref('item.position'), headOf(repoId))} and people.key = ${key}`.execute(db)
  return rows[0]!.count
}
