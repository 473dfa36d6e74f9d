import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql, type Kysely } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { migrate, migrations } from '../src/store/migrate.ts'
import { openSqlite } from '../src/store/sqlite/connection.ts'

test('an upgrade that does not get to its end leaves the database as it was, and is made the next time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-migrate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { db, close } = openSqlite(join(folder, 'vitrine.db'), { readOnly: false })
  onTestFinished(close)
  await migrate(db, migrations, [])

  const adds = async (to: Kysely<unknown>) => {
    await to.schema.createTable('shelves').addColumn('id', 'integer').execute()
  }
  const stops = async () => {
    throw new Error('the disk is full')
  }
  const next = { ...migrations, '998-shelves': { up: adds } }
  const executed = Object.keys(migrations)
  await expect(migrate(db, { ...next, '999-stops': { up: stops } }, executed)).rejects.toThrow(
    'the disk is full',
  )
  const tables = async () =>
    (await sql<{ name: string }>`select name from sqlite_schema where name = 'shelves'`.execute(db))
      .rows
  expect(await tables()).toEqual([])

  await migrate(db, next, executed)
  expect(await tables()).toEqual([{ name: 'shelves' }])
})

test('an upgrade gives every dataset a generation of its own, deleted ones too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-migrate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { db, close } = openSqlite(join(folder, 'vitrine.db'), { readOnly: false })
  onTestFinished(close)
  const before = Object.entries(migrations).filter(([name]) => name < '008')
  await migrate(db, Object.fromEntries(before), [])
  const count = 1001
  await sql`
    with recursive n(id) as (select 1 union all select id + 1 from n where id < ${count})
    insert into datasets (name, kind, definition, schema, created_at, created_by)
    select 'd' || id, 'repo', '{}', '[]', 0, 'a a' from n`.execute(db)
  await sql`
    insert into deleted_datasets (id, name, kind, definition, schema, created_at, created_by,
      next_position, next_item_id, revision, order_revision, targets, deleted_at, deleted_by)
    select id, name, kind, definition, schema, created_at, created_by, 0, 1, 0, 0, '{}', 0, 'a a'
    from datasets`.execute(db)
  const executed = before.map(([name]) => name)
  await migrate(db, migrations, executed)
  for (const table of ['datasets', 'deleted_datasets']) {
    const { rows } = await sql<{ generation: string }>`
      select distinct generation from ${sql.table(table)}`.execute(db)
    expect(rows).toHaveLength(count)
    for (const { generation } of rows) expect(generation).toMatch(/^[0-9a-f]{10}$/)
  }
})
