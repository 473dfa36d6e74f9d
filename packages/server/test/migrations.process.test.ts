// @module-tag engines

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addItem, createClient, type Client } from '@vitrine/client'
import { readEntry } from '@vitrine/transparency-log'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Db } from '../src/store/store.ts'
import { startChildServer } from './child-server.ts'
import { startIssuer, type Issuer } from './issuer.ts'
import { createTestBlobs, type TestBlobs } from './test-blobs.ts'
import { createTestDatabase, isOnSqlite, tableNames, type TestDatabase } from './test-database.ts'
import { until } from './until.ts'

const datasetId = 'notes'
/** Rows that take a while to publish. */
const many = isOnSqlite ? 300_000 : 60_000

let dataDir: string
let blobs: TestBlobs
let database: TestDatabase
let issuer: Issuer
let client: Client
let kill: () => Promise<void>

async function start(): Promise<void> {
  const env = { ...database.env, ...blobs.env }
  const { url, ...child } = await startChildServer({ dataDir, issuer, env })
  const token = await issuer.token()
  client = createClient({ baseUrl: url, token: () => token })
  kill = child.kill
}

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-migrations-'))
  blobs = createTestBlobs(dataDir)
  database = await createTestDatabase(dataDir)
  issuer = await startIssuer()
  await start()
  await client.repoCreate({
    body: { name: 'people', schema: [{ name: 'name', type: 'string', length: 20 }] },
  })
  const schema = [
    { name: 'title', type: 'string', length: 20 },
    { name: 'file', type: 'binary', mime: 'text/plain', optional: true },
    { name: 'by', type: 'reference', target: 'people', optional: true },
  ]
  await client.repoCreate({ body: { name: datasetId, schema } })
  await addItem(client, 'people', { name: 'Ada' })
  await addItem(client, datasetId, {
    title: 'first',
    file: new Blob(['bytes'], { type: 'text/plain' }),
  })
  await addItem(client, datasetId, { title: 'Zürich ➡', by: 1 })
})

afterEach(async () => {
  await kill()
  await issuer.close()
  await database.drop()
  rmSync(dataDir, { recursive: true })
})

const itemOf = (itemId: number) => client.datasetItemGet({ datasetId, itemId })

/** Leaves a database as it was when items had their digests in hex. */
async function returnToHex(db: Db): Promise<void> {
  await forgetLogs(db)
  for (const name of await tableNames(db)) {
    if (!name.startsWith('items_')) continue
    const table = sql.table(name)
    if (isOnSqlite) await rewriteInHex(db, name)
    else {
      const inHex = sql`text using encode(digests, 'hex')`
      await sql`alter table ${table} alter column digests type ${inHex}`.execute(db)
    }
  }
  const later = [
    'installation',
    'blob_sightings',
    'blob_damage',
    'value_damage',
    'scrub',
    'summaries',
    'search_slices',
  ]
  for (const table of later) await db.schema.dropTable(table).execute()
  await db.schema.alterTable('blobs').dropColumn('is_transient').execute()
  await db.schema.alterTable('accounts').dropColumn('must_change').execute()
  await forgetRevisions(db)
  await sql`delete from kysely_migration where name >= '009'`.execute(db)
}

/** Leaves a database without what came with the logs and after them. */
async function forgetLogs(db: Db): Promise<void> {
  const later = [
    'people',
    'log_nodes',
    'tokens',
    'added_items',
    'audit_log',
    'audit_head',
    'deleted_datasets',
    'snapshots',
    'snapshot_parts',
    'item_origins',
  ]
  for (const table of later) await db.schema.dropTable(table).execute()
  await db.schema.alterTable('imports').dropColumn('items_created_at').execute()
  await db.schema.alterTable('import_refusals').dropColumn('value').execute()
  await db.schema.alterTable('imports').dropColumn('notes').execute()
  for (const name of await tableNames(db)) {
    if (!name.startsWith('items_')) continue
    await db.schema.alterTable(name).dropColumn('author').execute()
    await db.schema.alterTable(name).dropColumn('leaf').execute()
  }
}

async function forgetRevisions(db: Db): Promise<void> {
  for (const column of ['revision', 'order_revision']) {
    await db.schema.alterTable('datasets').dropColumn(column).execute()
  }
}

async function rewriteInHex(db: Db, name: string): Promise<void> {
  const table = sql.table(name)
  const schema = await sql<{ definition: string }>`
    select sql as definition from sqlite_schema where name = ${name}`.execute(db)
  const columns = schema.rows[0]!.definition.replace(/^[^(]*/, '')
  await sql`create table hex ${sql.raw(columns.replace('digests blob', 'digests text'))}`.execute(
    db,
  )
  const info = await sql<{ name: string }>`select name from pragma_table_info(${name})`.execute(db)
  const cells = info.rows.map((column) =>
    column.name === 'digests' ? sql`lower(hex(digests))` : sql.ref(column.name),
  )
  await sql`insert into hex select ${sql.join(cells)} from ${table}`.execute(db)
  await sql`drop table ${table}`.execute(db)
  await sql`alter table hex rename to ${table}`.execute(db)
}

const restartFromHex = async () => {
  await kill()
  await database.use(({ write }) => write((transaction) => returnToHex(transaction)))
  await blobs.disown()
  await start()
}

test('digests that were kept in hex are the same as bytes', async () => {
  const before = [await itemOf(1), await itemOf(2)]
  await restartFromHex()
  expect([await itemOf(1), await itemOf(2)]).toEqual(before)
  const id = await addItem(client, datasetId, { title: 'first', by: 1 })
  expect((await itemOf(id)).integrity!['title']).toEqual(before[0]!.integrity!['title'])
})

test(
  'an import that was being published begins again',
  { tags: 'whole', timeout: 300_000 },
  async () => {
    const importKey = 'numbers'
    const body = Array.from({ length: many }, (_, row) => `{"title":"${row}"}\n`).join('')
    await client.importBegin({ datasetId, format: 'ndjson', key: importKey, wait: 0, body })
    let state = await until(async () => {
      const now = await client.importGet({ datasetId, importKey })
      return now.publishedRows > 0 && now
    })
    expect(state).toMatchObject({ state: 'publishing' })
    await restartFromHex()
    while (state.state === 'checking' || state.state === 'publishing') {
      state = await client.importGet({ datasetId, importKey, wait: 60 })
    }
    expect(state).toMatchObject({ state: 'done', publishedRows: many })
    expect(await client.datasetCount({ datasetId })).toEqual({ totalItems: many + 2 })
    const { integrity } = await itemOf(state.items!.firstId)
    expect(integrity).toMatchObject({ title: { size: 1 } })
  },
)

test(
  'a round of reading everything again goes on where it was when it read blobs alone',
  { tags: 'whole' },
  async () => {
    const beganAt = Date.now() - 29 * 24 * 3_600_000
    await kill()
    await database.use(({ write }) =>
      write(async (transaction) => {
        const round = { began_at: beganAt, read_to: 'a0' }
        await transaction.updateTable('scrub').set(round).execute()
        for (const name of ['rows_of', 'rows_from', 'derived_to']) {
          await transaction.schema.alterTable('scrub').dropColumn(name).execute()
        }
        for (const name of ['value_damage', 'summaries', 'search_slices']) {
          await transaction.schema.dropTable(name).execute()
        }
        await forgetLogs(transaction)
        await forgetRevisions(transaction)
        await sql`delete from kysely_migration where name >= '016'`.execute(transaction)
      }),
    )
    await start()
    const round = await until(() =>
      database.use(async ({ reads }) => {
        const row = await reads.selectFrom('scrub').selectAll().executeTakeFirstOrThrow()
        return row.rows_of === 2 && row
      }),
    )
    expect(round).toMatchObject({ began_at: beganAt, rows_of: 2, rows_from: 1 })
    expect(round.read_to >= 'a0').toBe(true)
  },
)

test('a repository that is older than the logs has one, with its first items and those that follow', async () => {
  const body = Array.from({ length: 300 }, (_, row) => `{"title":"${row}"}\n`).join('')
  await client.importBegin({ datasetId, format: 'ndjson', body } as never)
  const before = await itemOf(2)
  await kill()
  await database.use(({ write }) =>
    write(async (transaction) => {
      await forgetLogs(transaction)
      await sql`alter table summaries drop column kept_at`.execute(transaction)
      await sql`alter table scrub drop column derived_to`.execute(transaction)
      await sql`delete from kysely_migration where name >= '023'`.execute(transaction)
      // Of whom the built-in provider knows, the name is known.
      await transaction
        .insertInto('accounts')
        .values({ id: 'alice', name: 'alice@example.org', password: '-', created_at: 0 })
        .execute()
    }),
  )
  await start()
  const later = await addItem(client, datasetId, { title: 'later' })
  expect(await itemOf(2)).toEqual(before)
  const { createdBy } = await client.datasetProvenance({ datasetId })
  expect(createdBy).toEqual({ subject: 'alice', name: 'alice@example.org' })
  expect(await client.datasetItemAuthor({ datasetId, itemId: 2 })).toEqual({})
  const entryOf = async (itemId: number) => {
    const { entry, checkpoint } = await client.logProof({ datasetId, itemId })
    expect(checkpoint).toContain('/repo/notes\n303\n')
    return readEntry(entry)!
  }
  expect(await entryOf(2)).toMatchObject({ id: 2, createdAt: before.createdAt })
  expect(await entryOf(2)).not.toHaveProperty('by')
  expect(await entryOf(later)).toMatchObject({ id: later, by: 'alice' })
})
