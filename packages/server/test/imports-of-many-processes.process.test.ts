// @module-tag whole
// @module-tag imports

import { ApiError, createClient, type Client } from '@vitrine/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eachInstallation } from './bare-installation.ts'
import { startChildServer } from './child-server.ts'
import { sha256 } from './photos.ts'
import { isOnSqlite } from './test-database.ts'
import { until } from './until.ts'

const datasetId = 'things'
const schema = [{ name: 'title', type: 'string', length: 100 }]
/** Rows that take some seconds to publish. */
const many = 150_000

type Process = { client: Client; kill: () => Promise<void> }

const installation = eachInstallation()
let first: Process
let second: Process

async function startProcess(): Promise<Process> {
  const { dataDir, issuer, env } = installation()
  const { url, kill } = await startChildServer({ dataDir, issuer, env })
  const token = await issuer.token()
  return { client: createClient({ baseUrl: url, token: () => token }), kill }
}

const rowsOf = (count: number, name: string) =>
  Array.from({ length: count }, (_, row) => `{"title":"row ${row} of ${name}"}\n`).join('')

function begin(client: Client, importKey: string, count: number) {
  const body = rowsOf(count, importKey)
  return client.importBegin({ datasetId, format: 'ndjson', key: importKey, wait: 0, body } as never)
}

const stateOf = async (client: Client, importKey: string) =>
  (await client.importGet({ datasetId, importKey })).state

const count = async (client: Client) => (await client.datasetCount({ datasetId })).totalItems

/** Waits until rows of an import are written that nobody sees. */
async function untilPublishing(client: Client, importKey: string): Promise<void> {
  await until(async () => {
    const { state, publishedRows } = await client.importGet({ datasetId, importKey })
    expect(state).toMatch(/checking|publishing/)
    return publishedRows > 0
  })
}

/** The state in which an import ends. */
async function endOf(client: Client, importKey: string): Promise<string> {
  for (;;) {
    const { state } = await client.importGet({ datasetId, importKey, wait: 60 })
    if (!/checking|publishing/.test(state)) return state
  }
}

/** Adds an item, for which the repository must be nobody's turn. */
async function addItem(client: Client): Promise<void> {
  const { id: itemId } = await client.insertBegin({ datasetId })
  const body = new FormData()
  body.append('title', 'one')
  await client.insertUpload({ datasetId, itemId, body })
  const integrity = { title: { sha256: sha256('one') } }
  await client.insertCommit({ datasetId, itemId, body: { integrity } })
}

// SQLite belongs to one process.
describe.skipIf(isOnSqlite)('an import that one of two processes works on', () => {
  beforeEach(async () => {
    first = await startProcess()
    second = await startProcess()
    await first.client.repoCreate({ body: { name: datasetId, schema } })
  })

  afterEach(async () => {
    await first.kill()
    await second.kill()
  })

  test('is cancelled through the other one', { timeout: 300_000 }, async () => {
    await begin(first.client, 'whole', many)
    await untilPublishing(second.client, 'whole')
    await second.client.importCancel({ datasetId, importKey: 'whole' })
    expect(await stateOf(first.client, 'whole')).toBe('cancelled')
    await addItem(second.client)
    await begin(second.client, 'whole', 10)
    expect(await endOf(first.client, 'whole')).toBe('done')
    expect(await count(first.client)).toBe(11)
  })

  test('is either cancelled or published', { timeout: 300_000 }, async () => {
    const rows = 300
    const rounds = 30
    await begin(first.client, 'measured', rows)
    let questions = 1
    while ((await stateOf(second.client, 'measured')) !== 'done') questions += 1
    let published = 1
    for (let round = 0; round < rounds; round += 1) {
      const importKey = `round-${round}`
      await begin(first.client, importKey, rows)
      // At some moment of it, told by the questions that a whole import leaves time for.
      for (let left = questions * Math.random() * 0.5; left > 1; left -= 1) {
        await stateOf(second.client, importKey)
      }
      const isCancelled = await second.client.importCancel({ datasetId, importKey }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ApiError && error.code === 'IMPORT_DONE') return false
          throw error
        },
      )
      expect(await stateOf(first.client, importKey)).toBe(isCancelled ? 'cancelled' : 'done')
      if (!isCancelled) published += 1
      expect(await count(second.client)).toBe(published * rows)
    }
    console.log(
      `${published - 1} of ${rounds} imports were published before they could be cancelled`,
    )
    await addItem(first.client)
    expect(await count(second.client)).toBe(published * rows + 1)
  })

  test('is cancelled by the other after the first is killed', { timeout: 300_000 }, async () => {
    await begin(first.client, 'orphan', many)
    await untilPublishing(second.client, 'orphan')
    await first.kill()
    await second.client.importCancel({ datasetId, importKey: 'orphan' })
    expect(await stateOf(second.client, 'orphan')).toBe('cancelled')
    await addItem(second.client)
    expect(await count(second.client)).toBe(1)
  })

  test('is resumed by the other after the first is killed', { timeout: 300_000 }, async () => {
    await begin(first.client, 'adopted', many)
    await untilPublishing(second.client, 'adopted')
    // They fill what the second works on side by side, and wait for the one that is publishing.
    for (const key of ['next', 'last']) await begin(second.client, key, 10)
    await first.kill()
    for (const importKey of ['adopted', 'next', 'last']) {
      expect(await endOf(second.client, importKey)).toBe('done')
    }
    expect(await count(second.client)).toBe(many + 20)
  })
})
