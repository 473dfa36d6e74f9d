import { sql } from 'kysely'
import { bytes } from '../src/store/engine-sql.ts'
import { itemTable } from '../src/store/items.ts'
import type { TestDatabase } from './test-database.ts'

/**
 * Adds the words `w10000`, `w10001`, … to the repository `words` in the database itself, as so many would
 * take a while through the API.
 */
export function fillWords({ database }: { database: TestDatabase }, count: number): Promise<void> {
  return database.use(({ write }) =>
    write(async (transaction) => {
      const { id, next_position: head } = await transaction
        .selectFrom('datasets')
        .select(['id', 'next_position'])
        .where('name', '=', 'words')
        .executeTakeFirstOrThrow()
      await sql`
        insert into ${itemTable(id)} (position, id, created_at, digests, f0)
        with recursive n (n) as (select 0 union all select n + 1 from n where n < ${sql.lit(count - 1)})
        select ${sql.lit(head)} + n, ${sql.lit(head)} + n + 1, 0, cast('' as ${bytes}), 'w' || (10000 + n) from n
      `.execute(transaction)
      await transaction
        .updateTable('datasets')
        .set({ next_position: head + count })
        .where('id', '=', id)
        .execute()
    }),
  )
}
