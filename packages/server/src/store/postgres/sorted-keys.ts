import type { SortedKeys } from '../put-sorted-keys.ts'
import type { Connections } from './connections.ts'

/** The first batch comes when all is sorted, in milliseconds; by then a lost connection is known as one. */
const sortingMs = 24 * 60 * 60_000

/** Reads a table of keys in their order, batch by batch; the server sorts. */
export async function* readSortedKeys(
  connections: Connections,
  { table, batch }: { table: string; batch: number },
): AsyncGenerator<SortedKeys> {
  const connection = await connections.connect()
  let isOver = false
  try {
    // A cursor lives in a transaction, which whoever pools connections leaves on one of them.
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
