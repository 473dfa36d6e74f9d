import { sql } from 'kysely'
import { headAnywhere } from './items.ts'
import type { Db, Store, Transaction } from './store.ts'

/**
 * Tables with rows of several repositories, beside those of their items: the column that tells the rows of one apart, that
 * of the position of the item by which a row came, and how many are copied by one write. An origin has up to some hundred
 * kilobytes.
 */
const repoTables = [
  { table: 'item_origins', key: 'position', came: 'position', copiedAtOnce: 50 },
  { table: 'corrections', key: 'replaces_id', came: 'position', copiedAtOnce: 500 },
  { table: 'superseded', key: 'position', came: 'since', copiedAtOnce: 500 },
] as const

/** Removes so many rows of a dropped repository; returns whether there were any. */
export async function dropRepoRows(
  transaction: Transaction,
  repoId: number,
  count: number,
): Promise<boolean> {
  for (const { table, key } of repoTables) {
    const [from, column] = [sql.table(table), sql.ref(key)]
    const { numAffectedRows = 0n } = await sql`
      delete from ${from} where dataset_id = ${repoId} and ${column} in (
        select ${column} from ${from} where dataset_id = ${repoId} order by ${column} limit ${count}
      )`.execute(transaction)
    if (numAffectedRows > 0n) return true
  }
  return false
}

/** Copies the rows of a repository's committed items to another database; those that are there stay. */
export async function copyRepoRows(from: Db, to: Store, repoId: number): Promise<void> {
  for (const { table, key, came, copiedAtOnce } of repoTables) {
    for (let after: unknown = -1; ;) {
      const { rows } = await sql<Record<string, unknown>>`
        select * from ${sql.table(table)}
        where dataset_id = ${repoId} and ${sql.ref(key)} > ${after}
          and ${sql.ref(came)} < ${headAnywhere(repoId)}
        order by ${sql.ref(key)} limit ${copiedAtOnce}`.execute(from)
      const last = rows.at(-1)
      if (last === undefined) break
      const columns = Object.keys(last)
      const values = rows.map((row) => sql`(${sql.join(columns.map((name) => row[name]))})`)
      await to.write((transaction) =>
        sql`
          insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
          values ${sql.join(values)} on conflict do nothing`.execute(transaction),
      )
      after = last[key]
    }
  }
}
