// @module-tag engines

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addItem, ApiError, createClient, type Client } from '@vitrine/client'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startChildServer, type ChildServer } from './child-server.ts'
import { findingsAfterCollection } from './findings.ts'
import { startIssuer, type Issuer } from './issuer.ts'
import { sha256 } from './photos.ts'
import { createTestBlobs, type TestBlobs } from './test-blobs.ts'
import { createTestDatabase, isOnSqlite, type TestDatabase } from './test-database.ts'
import { times } from './times.ts'
import { until, untilDone } from './until.ts'

/** More of them make a soak: `PROCESSES_KILLS=300 npm run test:processes`. */
const kills = times('PROCESSES_KILLS', { first: 2, again: 6 })
/** Items acknowledged at most from one kill to the next. */
const itemsMax = 50
const processes = 3
const writers = 64

const datasetId = 'things'
const description = {
  name: datasetId,
  schema: [
    { name: 'title', type: 'string', length: 100 },
    { name: 'file', type: 'binary', mime: 'text/plain' },
  ],
}

let dataDir: string
let blobs: TestBlobs
let database: TestDatabase
let issuer: Issuer
let installation: Installation

/** Some processes of one installation, of which some may be gone. */
class Installation {
  readonly #token: string
  readonly #running: (ChildServer & { client: Client })[] = []
  #turn = 0

  constructor(token: string) {
    this.#token = token
  }

  async start(): Promise<void> {
    const env = { ...database.env, ...blobs.env, VITRINE_DELETED_DAYS: '0' }
    const server = await startChildServer({ dataDir, issuer, env })
    const client = createClient({ baseUrl: server.url, token: () => this.#token, retries: 0 })
    this.#running.push({ ...server, client })
  }

  async killOne(): Promise<void> {
    const [server] = this.#running.splice(Math.floor(Math.random() * this.#running.length), 1)
    await server?.kill()
  }

  async killAll(): Promise<void> {
    while (this.#running.length > 0) await this.killOne()
  }

  /** Makes a call of one process after the other, until one answers it. */
  async call<T>(call: (client: Client) => Promise<T>): Promise<T> {
    const next = () => this.#running[(this.#turn += 1) % this.#running.length]
    return untilDone(
      async () => call((await until(next)).client),
      (error) => error instanceof ApiError && [0, 503].includes(error.status),
    )
  }
}

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-processes-'))
  blobs = createTestBlobs(dataDir)
  database = await createTestDatabase(dataDir)
  issuer = await startIssuer()
  installation = new Installation(await issuer.token())
})

afterEach(async () => {
  await installation.killAll()
  await issuer.close()
  await database.drop()
  rmSync(dataDir, { recursive: true })
})

/** Adds an item, each step by whatever process answers; its id. */
async function addThing(title: string, file: string): Promise<number> {
  const { id: itemId } = await installation.call((client) => client.insertBegin({ datasetId }))
  const body = () => {
    const form = new FormData()
    form.append('title', title)
    form.append('file', new Blob([file], { type: 'text/plain' }))
    return form
  }
  await installation.call((client) => client.insertUpload({ datasetId, itemId, body: body() }))
  const integrity = { title: { sha256: sha256(title) }, file: { sha256: sha256(file) } }
  const { id } = await installation.call((client) =>
    client.insertCommit({ datasetId, itemId, body: { integrity } }),
  )
  expect(id).toBe(itemId)
  return id
}

// SQLite belongs to one process.
describe.skipIf(isOnSqlite)('many processes of one installation', () => {
  test('a field that one adds is used by all others at once', { timeout: 300_000 }, async () => {
    for (let count = 0; count < processes; count += 1) await installation.start()
    await installation.call((client) => client.repoCreate({ body: description }))
    await installation.call((client) =>
      client.viewCreate({ body: { name: 'sorted', base: datasetId, order: '-title' } }),
    )
    await addThing('thing', 'content')
    await installation.call((client) =>
      client.repoCreate({
        body: { name: 'refers', schema: [{ name: 'to', type: 'reference', target: datasetId }] },
      }),
    )
    // Whoever adds these reads the table that is changed, while it holds a row that the change waits for.
    const over = new AbortController()
    const refer = async () => {
      while (!over.signal.aborted) {
        await installation.call((client) => addItem(client, 'refers', { to: 1 }))
      }
    }
    const referring = Promise.all([refer(), refer(), refer(), refer()])
    const schema: object[] = [...description.schema]
    const itemsOf = (name: string) =>
      installation.call((client) => client.datasetItemList({ datasetId: name }))
    for (let round = 0; round < 10; round += 1) {
      // Every process has read it as it was.
      for (let count = 0; count < processes; count += 1) await itemsOf(datasetId)
      const field = { name: `n${round}`, type: 'integer', optional: true }
      schema.push(field)
      await installation.call((client) =>
        client.repoExtend({ datasetId, body: { ...description, schema } }),
      )
      const { id: itemId } = await installation.call((client) => client.insertBegin({ datasetId }))
      const form = new FormData()
      form.append('title', `thing ${round}`)
      form.append('file', new Blob(['content'], { type: 'text/plain' }))
      form.append(field.name, String(round))
      await installation.call((client) => client.insertUpload({ datasetId, itemId, body: form }))
      const integrity = {
        title: { sha256: sha256(`thing ${round}`) },
        file: { sha256: sha256('content') },
        [field.name]: { sha256: sha256(String(round)) },
      }
      await installation.call((client) =>
        client.insertCommit({ datasetId, itemId, body: { integrity } }),
      )
      for (let count = 0; count < processes; count += 1) {
        const item = await installation.call((client) =>
          client.datasetItemGet({ datasetId, itemId }),
        )
        expect(item.data[field.name]).toBe(round)
        expect((await itemsOf(datasetId)).at(-1)?.data[field.name]).toBe(round)
        expect((await itemsOf('sorted'))[0]?.data[field.name]).toBe(round)
      }
    }
    over.abort()
    await referring
  })

  test('a write acknowledged by one is seen by all at once', { timeout: 300_000 }, async () => {
    for (let count = 0; count < processes; count += 1) await installation.start()
    await installation.call((client) => client.repoCreate({ body: description }))
    await installation.call((client) =>
      client.viewCreate({
        body: { name: 'even', base: datasetId, where: { title: { ends_with: '0' } }, order: '-id' },
      }),
    )
    for (let round = 1; round <= 30; round += 1) {
      const id = await addThing(`thing ${round}0`, `content ${round}`)
      const item = await installation.call((client) =>
        client.datasetItemGet({ datasetId: 'even', itemId: id }),
      )
      expect(item.data['title']).toBe(`thing ${round}0`)
      const { totalItems } = await installation.call((client) =>
        client.datasetCount({ datasetId: 'even' }),
      )
      expect(totalItems).toBe(round)
      const [first] = await installation.call((client) =>
        client.datasetItemList({ datasetId: 'even' }),
      )
      expect(first?.id).toBe(id)
    }
    // A name means what it means now, whoever gave it away.
    const list = (at: { at?: number } = {}) =>
      installation.call((client) => client.datasetItemList({ datasetId: 'other', ...at }))
    for (let round = 0; round < 9; round += 1) {
      const name = `field${round}`
      const schema = [{ name, type: 'string', length: 10 }]
      await installation.call((client) => client.repoCreate({ body: { name: 'other', schema } }))
      const id = await installation.call((client) =>
        addItem(client, 'other', { [name]: `value ${round}` }),
      )
      const get = () =>
        installation.call((client) => client.datasetItemGet({ datasetId: 'other', itemId: id }))
      for (let process = 0; process < processes; process += 1) {
        const items = [{ id, data: { [name]: `value ${round}` } }]
        expect(await list()).toEqual(items)
        expect(await list({ at: 1 })).toEqual(items)
        expect((await get()).data).toEqual({ [name]: `value ${round}` })
      }
      const info = await installation.call((client) => client.datasetGet({ datasetId: 'other' }))
      expect(info.schema).toMatchObject([{ name }])
      await installation.call((client) => client.repoDelete({ datasetId: 'other' }))
      for (let process = 0; process < processes; process += 1) {
        await expect(list()).rejects.toMatchObject({ status: 404 })
        await expect(list({ at: 1 })).rejects.toMatchObject({ status: 404 })
        await expect(get()).rejects.toMatchObject({ status: 404 })
      }
    }
    // Also when nothing is left of what it meant.
    await database.use(({ reads }) =>
      expect.poll(() => reads.selectFrom('dropped_repos').selectAll().execute()).toEqual([]),
    )
    for (let process = 0; process < processes; process += 1) {
      await expect(list()).rejects.toMatchObject({ status: 404 })
    }
  })

  test(
    `${writers} clients lose nothing while processes are killed ${kills} times`,
    { timeout: kills * 60_000 + 240_000 },
    async () => {
      for (let count = 0; count < processes; count += 1) await installation.start()
      await installation.call((client) => client.repoCreate({ body: description }))
      const acknowledged: number[] = []
      const over = new AbortController()
      const writing = Array.from({ length: writers }, async (_, writer) => {
        for (let round = 0; !over.signal.aborted; round += 1) {
          // Some contents are those of other writers, and some of nobody else.
          const file = `content ${round % 3 === 0 ? `${writer} ${round}` : round % 13}`
          acknowledged.push(await addThing(`thing ${round} of ${writer}`, file))
        }
      })
      for (let killed = 0; killed < kills; killed += 1) {
        const enough = acknowledged.length + Math.random() * itemsMax
        await until(() => acknowledged.length >= enough)
        await installation.killOne()
        await installation.start()
      }
      over.abort()
      await Promise.all(writing)
      await installation.killAll()

      const ids = await database.use(async ({ reads }) => {
        const { id } = await reads
          .selectFrom('datasets')
          .select('id')
          .where('name', '=', datasetId)
          .executeTakeFirstOrThrow()
        const { rows } = await sql<{ id: number; position: number }>`
          select id, position from ${sql.table(`items_${id}`)} order by position`.execute(reads)
        expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index))
        return rows.map((row) => row.id)
      })
      const inOrder = (numbers: number[]) => numbers.toSorted((a, b) => a - b)
      expect(acknowledged.length).toBeGreaterThan(0)
      expect(inOrder(ids)).toEqual(inOrder(acknowledged))
      expect(await findingsAfterCollection({ database, blobs: await blobs.open() })).toEqual([])
      console.log(`${acknowledged.length} items were acknowledged`)
    },
  )
})
