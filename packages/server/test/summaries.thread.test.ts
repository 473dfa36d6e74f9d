// @module-tag engines

import { addItem, createClient, type Client } from '@vitrine/client'
import { plainText, progressHeader, type DatasetSummary, type SealedItem } from '@vitrine/contract'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { worlds } from '../../contract/test/arbitraries.ts'
import { readConfig, startServer, type StartOptions } from '../src/start.ts'
import { createWorld } from './explore-world.ts'
import { fillWords } from './fill-words.ts'
import { expectSummary } from './naive-summary.ts'
import { patient } from './patient.ts'
import { startTestServer, type TestServer } from './server.ts'
import { isOnSqlite } from './test-database.ts'
import { times } from './times.ts'

const worldCount = times('SUMMARY_RUNS', { first: 2, again: 1, whole: 20 })

async function start(options: StartOptions = {}): Promise<TestServer> {
  const server = await startTestServer({}, { ...options, restarts: true })
  const { client } = server
  await client.repoCreate({
    body: { name: 'words', schema: [{ name: 'word', type: 'string', optional: true }] },
  })
  for (const word of ['one', 'two', 'two', 'three']) await addItem(client, 'words', { word })
  await addItem(client, 'words', {})
  return server
}

const withO = { word: { contains: 'o' } }
const longest = { name: 'longest', base: 'words', order: ['-word'], limit: 2 }

const commonestOf = ({ fields }: DatasetSummary) =>
  fields[0]!.commonest.map(({ value, count }) => `${count} ${plainText(value)}`)

function keptSummaries({ database }: TestServer): Promise<number> {
  return database.use(async ({ reads }) => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from summaries`.execute(reads)
    return rows[0]!.n
  })
}

/** Holds the summary of a dataset, or of what passes, to all of its items. */
async function expectRecount(
  client: Client,
  datasetId: string,
  asked: { where?: Record<string, unknown> } = {},
): Promise<void> {
  const { schema } = await client.datasetGet({ datasetId })
  const hasBinary = schema.some(({ type }) => type === 'binary')
  const items: SealedItem[] = []
  for await (const item of client.items(datasetId, asked as object)) {
    const { id: itemId } = item
    items.push(hasBinary ? await client.datasetItemGet({ datasetId, itemId }) : item)
  }
  const { fields, ...rest } = await client.datasetSummary({ datasetId, ...asked } as {
    datasetId: string
  })
  expect(rest).toEqual({ items: items.length, exact: true })
  expect(fields.map(({ name }) => name)).toEqual(schema.map(({ name }) => name))
  for (const [index, field] of schema.entries()) {
    const values = items.map(({ data, integrity }) => {
      const value = data[field.name]
      return value === undefined ? undefined : { value, seal: integrity?.[field.name] }
    })
    expectSummary(fields[index]!, field as never, values)
  }
}

describe('the summary of a dataset', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await start()
    await server.client.viewCreate({ body: longest })
  })
  afterAll(() => server.close())

  test('says what its values are, with what was added since and after a restart', async () => {
    const { client } = server
    const summary = await client.datasetSummary({ datasetId: 'words' })
    expect(summary).toEqual({
      items: 5,
      exact: true,
      fields: [
        {
          name: 'word',
          type: 'string',
          present: 4,
          missing: 1,
          distinct: 3,
          commonest: [
            { value: 'two', count: 2 },
            { value: 'one', count: 1 },
            { value: 'three', count: 1 },
          ],
          least: 'one',
          greatest: 'two',
          lengths: {
            least: 3,
            greatest: 5,
            mean: 3.5,
            histogram: [
              { from: 3, to: 4, count: 3 },
              { from: 4, to: 5, count: 0 },
              { from: 5, to: 6, count: 1 },
            ],
          },
        },
      ],
    })
    await server.restart()
    expect(await client.datasetSummary({ datasetId: 'words' })).toEqual(summary)
    await addItem(client, 'words', { word: 'one' })
    await addItem(client, 'words', { word: 'one' })
    expect(commonestOf(await client.datasetSummary({ datasetId: 'words' }))).toEqual([
      '3 one',
      '2 two',
      '1 three',
    ])
  })

  test('under a filter is of what passes', async () => {
    const { client } = server
    const read = () => client.datasetSummary({ datasetId: 'words', where: withO })
    expect(commonestOf(await read())).toEqual(['3 one', '2 two'])
    await addItem(client, 'words', { word: 'foo' })
    await addItem(client, 'words', { word: 'bar' })
    expect(commonestOf(await read())).toEqual(['3 one', '2 two', '1 foo'])
    await server.upkeep({ explorationIdleMs: 0 })
    expect(commonestOf(await read())).toEqual(['3 one', '2 two', '1 foo'])
  })

  test('with an order and a limit follows items that are added', async () => {
    const { client } = server
    const read = async () => commonestOf(await client.datasetSummary({ datasetId: 'longest' }))
    expect(await read()).toEqual(['2 two'])
    await addItem(client, 'words', { word: 'zoo' })
    expect(await read()).toEqual(['1 two', '1 zoo'])
    await addItem(client, 'words', { word: 'ant' })
    expect(await read()).toEqual(['1 two', '1 zoo'])
  })

  test('has new fields, which are missing in the items of before', async () => {
    const { client } = server
    const { items } = await client.datasetSummary({ datasetId: 'words' })
    const schema = [
      { name: 'word', type: 'string', optional: true },
      { name: 'size', type: 'integer', optional: true },
    ]
    await client.repoExtend({ datasetId: 'words', body: { name: 'words', schema } })
    await addItem(client, 'words', { word: 'tree', size: '7' })
    const { fields } = await client.datasetSummary({ datasetId: 'words' })
    expect(fields.map(({ present, missing }) => present + missing)).toEqual([items + 1, items + 1])
    expect(fields[1]).toMatchObject({ present: 1, missing: items, least: 7, mean: 7 })
    await expectRecount(client, 'words')
    await expectRecount(client, 'longest')
  })

  test.each([
    ['where={"wrod":{"eq":"a"}}', ['where', 'wrod']],
    ['order=word', ['order']],
    ['partial=perhaps', ['partial']],
  ])('is refused for an invalid query: %s', async (query, path) => {
    const reply = await server.request(`/api/dataset/words/summary?${query}`)
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({
      code: 'QUERY_INVALID',
      details: { problems: [{ path: expect.arrayContaining(path) }] },
    })
  })

  test('goes with it', async () => {
    const { client } = server
    await client.datasetSummary({ datasetId: 'words', where: withO })
    expect(await keptSummaries(server)).toBe(3)
    await client.viewDelete({ datasetId: 'longest' })
    await client.repoDelete({ datasetId: 'words' })
    expect(await keptSummaries(server)).toBe(0)
    await expect(client.datasetSummary({ datasetId: 'words' })).rejects.toMatchObject({
      code: 'DATASET_NOT_FOUND',
    })
  })
})

test('the summary of an empty repository has no values in any field', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const { client } = server
  await client.repoCreate({
    body: {
      name: 'empty',
      schema: [
        { name: 'size', type: 'number' },
        { name: 'picture', type: 'binary', mime: 'image/*' },
      ],
    },
  })
  const nothing = { present: 0, missing: 0, distinct: 0, commonest: [] }
  expect(await client.datasetSummary({ datasetId: 'empty' })).toEqual({
    items: 0,
    exact: true,
    fields: [
      { name: 'size', type: 'number', ...nothing },
      { name: 'picture', type: 'binary', ...nothing },
    ],
  })
})

const viewBudgets = { partial: 0, whole: 0, preview: 0, background: 60_000 }

test('a part says so, and is whole in the end', async () => {
  const server = await start({ viewBudgets })
  onTestFinished(() => server.close())
  await fillWords(server, 30_000)
  await server.restart()
  const path = '/api/dataset/words/summary'
  const refused = await server.request(`${path}?where={"word":{"contains":"1"}}`)
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({ code: 'VIEW_NOT_READY' })
  const query = '?partial=true&where={"word":{"contains":"1"}}'
  const first = await server.request(path + query)
  const part = (await first.json()) as DatasetSummary
  expect(part).toMatchObject({ exact: false, total: 30_005 })
  expect(first.headers.get(progressHeader)).toBe(`${part.scanned}/30005`)
  expect(part.items).toBeLessThan(30_000)
  const read = async () => (await (await server.request(path + query)).json()) as DatasetSummary
  await expect.poll(async () => (await read()).exact).toBe(true)
  const whole = await read()
  // All of w10000 to w19999, and what has a 1 further on.
  const expected = Array.from({ length: 30_000 }, (_, n) => `w${10_000 + n}`).filter((word) =>
    word.includes('1'),
  ).length
  expect(whole).toMatchObject({ items: expected })
  expect(whole.fields[0]!.present).toBe(expected)
  expect(Math.abs(whole.fields[0]!.distinct / expected - 1)).toBeLessThan(0.02)
})

test('a part has the fields of a repository that is extended while its summary is made', async () => {
  const server = await start({ viewBudgets })
  onTestFinished(() => server.close())
  await fillWords(server, 30_000)
  await server.restart()
  const read = () => server.client.datasetSummary({ datasetId: 'words', partial: true })
  expect(await read()).toMatchObject({ exact: false })
  const schema = ['word', 'note'].map((name) => ({ name, type: 'string', optional: true }) as const)
  await server.client.repoExtend({ datasetId: 'words', body: { name: 'words', schema } })
  for (let isExact = false; !isExact;) {
    const { exact, fields } = await read()
    expect(fields.map(({ name }) => name)).toEqual(['word', 'note'])
    isExact = exact
  }
})

describe.skipIf(isOnSqlite)('summaries of two servers on one database', () => {
  test('agree while items are added to both', async () => {
    const server = await start()
    onTestFinished(() => server.close())
    const { issuer, database, blobs, dataDir, client } = server
    const other = await startServer(
      readConfig({
        VITRINE_PORT: '0',
        VITRINE_DATA_DIR: dataDir,
        VITRINE_OIDC_AUTHORITY: issuer.issuer,
        VITRINE_OIDC_CLIENT_ID: issuer.clientId,
        VITRINE_OIDC_AUDIENCE: issuer.audience,
        VITRINE_LOG_LEVEL: 'silent',
        ...blobs.env,
        ...database.env,
      }),
      patient,
    )
    onTestFinished(other.close)
    const token = await issuer.token()
    const clients = [
      client,
      createClient({ baseUrl: `http://127.0.0.1:${other.port}`, token: () => token }),
    ]
    const all = Array.from({ length: 6 }, (_, index) => clients[index % 2]!)
    for (let round = 0; round < 4; round += 1) {
      await addItem(clients[round % 2]!, 'words', { word: `w${round}` })
      const summaries = await Promise.all(
        all.map((each) => each.datasetSummary({ datasetId: 'words' })),
      )
      for (const summary of summaries) expect(summary).toEqual(summaries[0])
      expect(summaries[0]!.items).toBe(6 + round)
    }
    await expectRecount(client, 'words')
  })
})

test(
  'repositories and views of every type are as counted one by one',
  { timeout: 60_000 + worldCount * 60_000 },
  () =>
    fc.assert(
      fc.asyncProperty(worlds, fc.integer({ min: 1, max: 20 }), async (world, most) => {
        const server = await startTestServer()
        try {
          const { client } = server
          await createWorld(client, world)
          const where = { id: { lte: most } }
          for (const { name } of world) {
            await expectRecount(client, name)
            await expectRecount(client, name, { where })
          }
          // The same once more, of which all that does not fit any more was added.
          for (const dataset of world) {
            if ('view' in dataset) continue
            const once = { name: dataset.name, schema: dataset.schema, items: dataset.items }
            await createWorld(client, [once])
          }
          for (const { name } of world) {
            await expectRecount(client, name)
            await expectRecount(client, name, { where })
          }
        } finally {
          await server.close()
        }
      }),
      { numRuns: worldCount, endOnFailure: true },
    ),
)
