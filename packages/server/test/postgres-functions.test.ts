// @module-tag engines

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { sharedStore } from './shared-store.ts'
import { createTestDatabase, isOnSqlite } from './test-database.ts'

const store = sharedStore()

/** Functions that only others call, for single values. */
const inner = ['utf16_order']

test.skipIf(isOnSqlite)(
  'PostgreSQL inlines our functions in SQL, as each call would take some microseconds',
  async () => {
    const { rows: functions } = await sql<{ name: string; parameters: string[] }>`
      select proname as name, proargtypes::regtype[]::text[] as parameters from pg_proc
      where pronamespace = 'public'::regnamespace
        and prolang = (select oid from pg_language where lanname = 'sql')`.execute(store().reads)
    expect(functions.map(({ name }) => name)).toContain('fold_case')
    const called: string[] = []
    for (const { name, parameters } of functions) {
      const values = sql.join(parameters.map((type) => sql`value::text::${sql.raw(type)}`))
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain (verbose) select ${sql.raw(name)}(${values})
        from generate_series(1, 2) as value`.execute(store().reads)
      if (rows.some((row) => row['QUERY PLAN'].includes(`${name}(`))) called.push(name)
    }
    expect(called).toEqual(inner)
  },
)

test.skipIf(isOnSqlite)('the functions of a database of before are made anew', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const database = await createTestDatabase(folder)
  onTestFinished(() => database.drop())
  await database.use((store) =>
    store.write(async (transaction) => {
      for (const name of ['compose', 'decompose', 'fold_case']) {
        await sql`
          create or replace function ${sql.raw(name)}(whole text) returns text
          language sql immutable strict as $$ select whole $$`.execute(transaction)
      }
      await sql`delete from kysely_migration where name = '018-postgres-functions'`.execute(
        transaction,
      )
    }),
  )
  const { rows } = await database.use((store) =>
    sql<{ folded: string; composes: boolean }>`
      select fold_case('Ä') as folded, to_regprocedure('compose(text)') is not null as composes
      `.execute(store.reads),
  )
  expect(rows).toEqual([{ folded: 'ä', composes: false }])
})
