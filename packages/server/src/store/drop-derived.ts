import { sql, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * Drops all that is derived of the items of a repository: its search slices, and listings and summaries of it and
 * of every view on it. They are made again when somebody reads them.
 */
export async function dropDerived(transaction: Transaction<Tables>, repoId: number): Promise<void> {
  const ids = sql`
    with recursive derived (id) as (
      select id from datasets where id = ${repoId}
      union all
      select datasets.id from datasets join derived on datasets.base_id = derived.id
    )
    select id from derived`
  await sql`delete from search_slices where dataset_id = ${repoId}`.execute(transaction)
  await sql`delete from summaries where dataset_id in (${ids})`.execute(transaction)
  await sql`update listings set state = 'dropped' where dataset_id in (${ids})`.execute(transaction)
}
