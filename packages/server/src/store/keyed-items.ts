import { textOf, type SchemaField } from '@vitrine/contract'
import { sql } from 'kysely'
import { digestBytes, noDigest } from './digest-bytes.ts'
import { cellText } from './cell-text.ts'
import { joinedTexts, numbers, type Expression } from './expressions.ts'
import { itemRow, storedField, textBytes, type Cell } from './item-rows.ts'
import { columnsOf, itemTable, layOutFields } from './items.ts'
import { digestIn } from './row-digests.ts'
import { isSuperseded } from './superseded.ts'
import type { Db, Store } from './store.ts'

// Items by the values of some of their fields: a key is the digests of these, in hexadecimal, one after the other.

/** Hexadecimal digits of each digest that a short key has. */
export const shortDigits = 24

/** State of a repository in which items are looked for. */
export type KeyedState = { repo: { id: number; schema: readonly SchemaField[] }; at: number }

/** Current item with its cells, in the order of the item table's columns, and the digests of the fields of its key. */
export type KeyedRow = { id: number; key: string; cells: Cell[] }

/** Reads the items of some ids or positions. */
export async function readKeyedRows(
  db: Db,
  { repo, at }: KeyedState,
  { by, values, fields }: { by: 'id' | 'position'; values: number[]; fields: readonly string[] },
): Promise<KeyedRow[]> {
  const columns = repo.schema.flatMap(columnsOf).map(({ name }) => name)
  const { rows } = await sql<Record<string, Cell>>`
    select r.id, ${keyOf(repo, fields, 2 * digestBytes)} as key,
      ${sql.join(columns.map((name) => sql.ref(`r.${name}`)))}
    from ${itemTable(repo.id)} as r
    where ${itemRow(by)} in (select value from ${numbers(values)}) and r.position < ${at}`.execute(
    db,
  )
  return rows.map((row) => ({
    id: row['id'] as number,
    key: (row['key'] ?? '') as string,
    cells: columns.map((name) => row[name]!),
  }))
}

/** Reads how many bytes the texts of the items of some ids or positions have. */
export async function readKeyedBytes(
  db: Db,
  { repo, at }: KeyedState,
  { by, values }: { by: 'id' | 'position'; values: number[] },
): Promise<number> {
  const fields = layOutFields(repo.schema).map((field) => storedField(field, itemRow))
  const { rows } = await sql<{ bytes: number | string }>`
    select coalesce(sum(${textBytes(fields)}), 0) as bytes from ${itemTable(repo.id)} as r
    where ${itemRow(by)} in (select value from ${numbers(values)}) and r.position < ${at}`.execute(
    db,
  )
  return Number(rows[0]!.bytes)
}

/**
 * Prepares to read the short keys of the items of a range, joined by commas; empty of an item that is not current or has no
 * value of a field. Of rows the thread that reads would hand over one by one.
 */
export function prepareShortKeys(
  { prepareInWorker }: Pick<Store, 'prepareInWorker'>,
  { repo, at }: KeyedState,
  fields: readonly string[],
) {
  return prepareInWorker<{ from: number; to: number }, [keys: string | Uint8Array | null]>(
    (slot) => sql`
      select ${joinedTexts(sql.ref('key'))} from (
        select case when ${isSuperseded(repo.id, sql.ref('r.position'), sql`${at}`)} then ''
          else coalesce(${keyOf(repo, fields, shortDigits)}, '') end as key
        from ${itemTable(repo.id)} as r
        where r.position >= ${slot('from')} and r.position < ${slot('to')} and r.position < ${at}
        order by r.position
      ) as keys`,
  )
}

/** The beginnings of the digests of some fields, each of so many hexadecimal digits, as one text; NULL where one is absent. */
function keyOf(
  { schema }: KeyedState['repo'],
  names: readonly string[],
  digits: number,
): Expression {
  const fields = layOutFields(schema)
  const parts = names.map((name) => {
    const field = fields.find((each) => each.name === name)!
    if (textOf(field) === undefined) {
      return sql`substr(${sql.ref(`r.${field.column}`)}, 1, ${sql.lit(digits)})`
    }
    const text = cellText(field.type, sql.ref(`r.${field.column}`))
    const digest = digestIn(sql`r.digests`, field.digestAt, text)
    return sql`nullif(substr(${digest}, 1, ${sql.lit(digits)}), ${noDigest.slice(0, digits)})`
  })
  return parts.length === 0 ? sql`null` : sql.join(parts, sql` || `)
}
