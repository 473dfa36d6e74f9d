import { workerData } from 'node:worker_threads'
import { serveSessions } from '../../runtime/serve-sessions.ts'
import { addSqlFunctions } from './functions.ts'
import { openDatabase } from './open-database.ts'
import type { SortTask, SortTasks } from './sort-keys.ts'

// Sorts apart from the event loop, on a connection of its own: at millions of rows it takes seconds. Each
// task puts one batch into order.

const { databaseFile, listingId, rows, batch, block } = workerData as SortTask
const database = openDatabase(databaseFile, { readOnly: false })
addSqlFunctions(database)
// All that is written here can be made again from the keys.
database.exec('pragma synchronous = normal')
// Into a table of this connection alone: were the batches read from the keys themselves, that one read
// would keep all that is written meanwhile in the write-ahead log.
database.exec('create temp table sorted (key blob, root integer)')
const { changes: count } = database
  .prepare(`insert into sorted (key, root) select key, root from (${rows.sql}) order by key`)
  .run(...rows.parameters)

const isBuilding = database.prepare(
  `select 1 from listings where id = ${listingId} and state = 'building'`,
)
const puts = [
  `insert into order_${listingId} (key, root)
   select key, root from sorted where rowid > ?1 and rowid <= ?1 + ${batch} order by rowid`,
  // The first block is that of all keys below the second.
  `insert into listing_blocks (listing_id, first_key, count)
   with recursive firsts (first) as (
     select ?1 + 1 union all select first + ${block} from firsts where first + ${block} <= ?1 + ${batch}
   )
   select ${listingId}, iif(first = 1, x'', key), min(${block}, ${count} - first + 1)
   from firsts join sorted on sorted.rowid = first`,
]

function put(from: number): boolean {
  database.exec('begin immediate')
  const isWanted = isBuilding.get() !== undefined
  // Prepared late: the tables of a dropped listing may be gone.
  if (isWanted) for (const sql of puts) database.prepare(sql).run(from)
  database.exec('commit')
  return isWanted
}

serveSessions<SortTasks>(() => ({ count: () => Number(count), put }))
