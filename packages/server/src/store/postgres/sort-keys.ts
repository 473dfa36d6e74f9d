import { type CompiledQuery, sql } from 'kysely'
import { cutKeys, orderTable, putBlocks } from '../listing-tables.ts'
import { findListing } from '../listings.ts'
import type { PutSorted, SortSizes, Store, Transaction } from '../store.ts'
import type { Connections } from './connections.ts'

/** The first batch comes when all is sorted, in milliseconds; by then a lost connection is known as one. */
const sortingMs = 24 * 60 * 60_000

type SortTask = SortSizes & { listingId: number }

/** Sorts the keys of a listing, to be written batch by batch; the server sorts. */
export async function* sortKeys(
  { connections, write }: { connections: Connections; write: Store['write'] },
  { listingId, batch, block }: SortTask,
): AsyncGenerator<PutSorted> {
  let isFirst = true
  for await (const sorted of readSortedKeys(connections, { table: `keys_${listingId}`, batch })) {
    const blocks = cutKeys(sorted.keys, block)
    if (isFirst) blocks[0] = { ...blocks[0]!, firstKey: new Uint8Array() }
    isFirst = false
    const put: PutSorted = async () =>
      write(
        async (transaction) => {
          const row = await findListing(transaction, listingId)
          if (row?.state !== 'building') return false
          await putSortedKeys(transaction, listingId, sorted)
          await putBlocks(transaction, listingId, blocks)
          return true
        },
        { derived: true },
      )
    yield put
  }
}

/** Reads a table of keys in their order, batch by batch. */
async function* readSortedKeys(
  connections: Connections,
  { table, batch }: { table: string; batch: number },
): AsyncGenerator<SortedKeys> {
  const connection = await connections.connect()
  let isOver = false
  try {
    // A cursor lives in a transaction, which poolers keep on one connection.
    await connection.query(`begin; set local statement_timeout = 0; set local work_mem = '64MB'`)
    await connection.query(
      `declare sorted no scroll cursor for select key, root from "${table}" order by key`,
    )
    for (;;) {
      const { rows } = await connection.query({
        text: `fetch ${batch} from sorted`,
        rowMode: 'array',
        query_timeout: sortingMs,
      })
      if (rows.length === 0) break
      const cells = rows as [key: Uint8Array, root: number][]
      yield { keys: cells.map(([key]) => key), roots: cells.map(([, root]) => root) }
    }
    await connection.query('commit')
    isOver = true
  } finally {
    connection.release(!isOver)
  }
}

/** Rows of a listing in the order of their keys: the two lists are as long as each other. */
export type SortedKeys = { keys: Uint8Array[]; roots: number[] }

/** Rows written by one statement: it takes 32,766 values. */
const batch = 500

/** Appends keys to the order of a listing; all that are there must come before them. */
async function putSortedKeys(
  transaction: Transaction,
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

function compile(transaction: Transaction, listingId: number, rows: number): CompiledQuery {
  const row = sql`(${null}, ${null})`
  const values = sql.join(Array.from({ length: rows }, () => row))
  return sql`insert into ${orderTable(listingId)} (key, root) values ${values}`.compile(transaction)
}
