// @module-tag engines

import { addItem, sha256, verifyItem } from '@vitrine/client'
import { readBundle, readEntry } from '@vitrine/transparency-log'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findDataset } from '../src/store/datasets.ts'
import { itemTable } from '../src/store/items.ts'
import { up } from '../src/store/migrations/014-nonces.ts'
import { startTestServer, type TestServer } from './server.ts'
import { wholeImport } from './whole-import.ts'

const datasetId = 'words'
let server: TestServer

beforeEach(async () => {
  server = await startTestServer({}, { restarts: true })
  const schema = [{ name: 'word', type: 'string', length: 20 }]
  await server.client.repoCreate({ body: { name: datasetId, schema } })
})

afterEach(() => server.close())

const add = (word: string) => addItem(server.client, datasetId, { word })
const importWords = (words: string[]) => {
  const body = words.map((word) => `${JSON.stringify({ word })}\n`).join('')
  return wholeImport(server.client, { datasetId, format: 'ndjson', body })
}

async function nonces(size: number): Promise<(string | undefined)[]> {
  const tile = await server.client.logTile({ datasetId, tile: `entries/000.p/${size}` })
  const entries = readBundle(new Uint8Array(await tile.arrayBuffer()))!
  return entries.map((bytes) => readEntry(new TextDecoder().decode(bytes))!.nonce)
}

/** Returns the checks that items did not pass. */
async function failedChecks(size: number) {
  const failed = []
  for (let itemId = 1; itemId <= size; itemId += 1) {
    const of = { repo: datasetId, itemId }
    const { checks } = await verifyItem(server.client, of, { known: undefined, sha256 })
    failed.push(...checks.filter(({ passed }) => passed === false))
  }
  return failed
}

test('each entry has a nonce of its own, of single items and of imports', async () => {
  await add('one')
  await importWords(['two', 'three'])
  await add('four')
  const given = await nonces(4)
  for (const nonce of given) expect(nonce).toMatch(/^[0-9a-f]{32}$/)
  expect(new Set(given).size).toBe(4)
  await server.restart()
  expect(await nonces(4)).toEqual(given)
  expect(await failedChecks(4)).toEqual([])
})

test('items of the same id have other nonces in another repository', async () => {
  await add('one')
  const [nonce] = await nonces(1)
  await server.client.repoDelete({ datasetId })
  const schema = [{ name: 'word', type: 'string', length: 20 }]
  await server.client.repoCreate({ body: { name: datasetId, schema } })
  await add('one')
  expect(await nonces(1)).not.toEqual([nonce])
})

test('an upgrade leaves the entries that are there as they are, those beyond the head too', async () => {
  const { id } = await server.database.use(async ({ reads, write }) => {
    await write((transaction) => sql`update datasets set nonces_from = 1000`.execute(transaction))
    return (await findDataset(reads, datasetId))!
  })
  await server.restart()
  await add('one')
  await importWords(['two'])
  const before = await (await server.client.logCheckpoint({ datasetId })).text()

  const upgrade = (position: number) =>
    server.database.use(async ({ reads, write }) => {
      await write(async (transaction) => {
        for (const table of ['datasets', 'deleted_datasets']) {
          for (const column of ['nonce_key', 'nonces_from']) {
            await sql`alter table ${sql.table(table)} drop column ${sql.ref(column)}`.execute(
              transaction,
            )
          }
        }
        await sql`update ${itemTable(id)} set position = ${position} where id = 2`.execute(
          transaction,
        )
        await up(transaction as unknown as Kysely<unknown>)
        await sql`update ${itemTable(id)} set position = 1 where id = 2`.execute(transaction)
      })
      return (await findDataset(reads, datasetId))!.nonces
    })
  await server.restart({}, async () => {
    expect(await upgrade(5)).toEqual({ key: expect.stringMatching(/^[0-9a-f]{64}$/), from: 6 })
    expect(await upgrade(1)).toMatchObject({ from: 2 })
  })
  await add('three')
  await importWords(['four'])
  const after = await server.client.logCheckpoint({ datasetId, size: 2 })
  expect(await after.text()).toBe(before)
  expect(await nonces(4)).toEqual([
    undefined,
    undefined,
    expect.stringMatching(/./),
    expect.stringMatching(/./),
  ])
  expect(await failedChecks(4)).toEqual([])
})
