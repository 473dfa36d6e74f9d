import { sql, type CompiledQuery, type Transaction } from 'kysely'
import { orderTable } from '../listing-tables.ts'
import type { Tables } from '../tables.ts'

/** Rows of a listing in the order of their keys: the two lists are as long as each other. */
export type SortedKeys = { keys: Uint8Array[]; roots: number[] }

/** Rows written by one statement: it takes 32,766 values. */
const batch = 500

/** Appends keys to the order of a listing; all that are there must come before them. */
export async function putSortedKeys(
  transaction: Transaction<Tables>,
  listingId: number,
  { keys, roots }: SortedKeys,
): Promise<void> {
  let insert: { rows: number; compiled: CompiledQuery } | undefined
  for (let from = 0; from < keys.length; from += batch) {
    const rows = Math.min(batch, keys.length - from)
    if (insert?.rows !== rows) insert = { rows, compiled: compile(transaction, listingId, rows) }
    const parameters: unknown[] = []
    for (let index = from; index < from + rows; index += 1)
      parameters.push(keys[index], roots[index])
    await transaction.executeQuery({ ...insert.compiled, parameters })
  }
}

function compile(transaction: Transaction<Tables>, listingId: number, rows: number): CompiledQuery {
  const row = sql`(${null}, ${null})`
  const values = sql.join(Array.from({ length: rows }, () => row))
  return sql`insert into ${orderTable(listingId)} (key, root) values ${values}`.compile(transaction)
}
