// @module-tag engines

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { up } from '../src/store/migrations/008-generations.ts'
import { createTestDatabase } from './test-database.ts'

test('an upgrade gives every dataset a generation of its own, deleted ones too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-generations-'))
  const database = await createTestDatabase(folder)
  onTestFinished(async () => {
    await database.drop()
    rmSync(folder, { recursive: true })
  })
  // More than two statements change.
  const count = 1001
  await database.use(async ({ reads, write }) => {
    await write(async (transaction) => {
      for (const table of ['datasets', 'deleted_datasets']) {
        await sql`alter table ${sql.table(table)} drop column generation`.execute(transaction)
      }
      await sql`
        with recursive n(id) as (select 1 union all select id + 1 from n where id < ${count})
        insert into datasets (name, kind, definition, schema, created_at, created_by)
        select concat('d', id), 'repo', '{}', '[]', 0, 'a a' from n`.execute(transaction)
      await sql`
        insert into deleted_datasets (id, name, kind, definition, schema, created_at, created_by,
          next_position, next_item_id, revision, order_revision, targets, deleted_at, deleted_by)
        select id, name, kind, definition, schema, created_at, created_by, 0, 1, 0, 0, '{}', 0, 'a a'
        from datasets`.execute(transaction)
      await up(transaction as unknown as Kysely<unknown>)
    })
    for (const table of ['datasets', 'deleted_datasets']) {
      const { rows } = await sql<{ generation: string }>`
        select distinct generation from ${sql.table(table)}`.execute(reads)
      expect(rows).toHaveLength(count)
      for (const { generation } of rows) expect(generation).toMatch(/^[0-9a-f]{10}$/)
    }
  })
})
