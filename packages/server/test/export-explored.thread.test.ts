// @module-tag whole
// @module-tag rows

import { createHash } from 'node:crypto'
import { openReply, addItem } from '@vitrine/client'
import { exportedHeader, type Exploration, type ExportFormat, type Item } from '@vitrine/contract'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { worlds } from '../../contract/test/arbitraries.ts'
import { allPages } from './all-pages.ts'
import { createWorld } from './explore-world.ts'
import { fillWords } from './fill-words.ts'
import { startTestServer, type TestServer } from './server.ts'
import { times } from './times.ts'

const worldCount = times('EXPLORE_RUNS', { first: 2, whole: 20 })

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  const { client } = server
  await client.repoCreate({ body: { name: 'people', schema: [{ name: 'name', type: 'string' }] } })
  await client.repoCreate({
    body: {
      name: 'words',
      description: 'Words of a few languages.',
      schema: [
        { name: 'word', type: 'string' },
        { name: 'by', type: 'reference', target: 'people', optional: true },
      ],
    },
  })
  await addItem(client, 'people', { name: 'Ana' })
  for (const word of ['one', 'two', 'three', 'four']) {
    await addItem(client, 'words', word === 'two' ? { word, by: 1 } : { word })
  }
  await client.viewCreate({ body: { name: 'long', base: 'words', order: 'word', limit: 3 } })
})
afterAll(() => server.close())

const withO: Exploration = { where: { word: { contains: 'o' } } }

function open(
  { client }: TestServer,
  datasetId: string,
  asked: Exploration & { from?: number; to?: number; format?: ExportFormat },
): Promise<Response> {
  return openReply(client, 'datasetExport', { datasetId, format: 'ndjson', ...asked })
}

type Row = { id: number; createdAt: string } & Item['data']
const rowsOf = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row)

async function exported(
  from: TestServer,
  datasetId: string,
  asked: Exploration & { from?: number; to?: number },
): Promise<Item[]> {
  const rows = rowsOf(await (await open(from, datasetId, asked)).text())
  return rows.map(({ id, createdAt, ...data }) => {
    expect(createdAt).toMatch(/Z$/)
    return { id, data }
  })
}

test.each<[string, Exploration, number[]]>([
  ['words', withO, [1, 2, 4]],
  ['words', { order: ['-word'] }, [2, 3, 1, 4]],
  // Missing values stand last in either direction.
  ['words', { order: ['by', '-id'] }, [2, 4, 3, 1]],
  ['words', { order: ['-by', '-id'] }, [2, 4, 3, 1]],
  ['words', { ...withO, order: ['word'] }, [4, 1, 2]],
  ['words', { where: { 'by.name': { eq: 'Ana' } } }, [2]],
  ['words', { q: 'o', order: ['-id'] }, [4, 2, 1]],
  ['words', { q: 'nowhere' }, []],
  ['long', withO, [4, 1]],
  ['long', { order: ['-id'] }, [4, 3, 1]],
])('an export of %s by %j has the items of its pages', async (name, asked, ids) => {
  const items = await exported(server, name, asked)
  expect(items.map(({ id }) => id)).toEqual(ids)
  expect(items).toEqual(await allPages(server, name, asked, 2))
  const part = await open(server, name, { ...asked, to: 1 })
  expect(part.headers.get(exportedHeader)).toBe(`0-${Math.min(1, ids.length)}/${ids.length}`)
  expect(rowsOf(await part.text()).map(({ id }) => id)).toEqual(ids.slice(0, 1))
})

test.each(['csv', 'tsv', 'parquet', 'zip', 'croissant'] as const)(
  'an export of a query can be written as %s',
  async (format) => {
    const reply = await open(server, 'words', { ...withO, format })
    expect(reply.headers.get(exportedHeader)).toBe('0-3/3')
    expect(reply.headers.get('content-disposition')).toContain('words-part.')
    const body = Buffer.from(await reply.arrayBuffer())
    if (format === 'csv' || format === 'tsv') {
      const ids = body.toString().split('\r\n').slice(1, -1)
      expect(ids.map((line) => Number.parseInt(line, 10))).toEqual([1, 2, 4])
    } else if (format !== 'croissant') {
      const copy = `copy-${format}`
      const { schema } = await server.client.datasetGet({ datasetId: 'words' })
      await server.client.repoCreate({ body: { name: copy, schema } })
      const imported = { datasetId: copy, format, body: new Blob([body]) }
      expect(await server.client.importBegin(imported)).toMatchObject({ state: 'done', rows: 3 })
    }
  },
)

test('Croissant describes the filter and order of an export, and links to its file', async () => {
  const croissantOf = async (asked: Exploration) =>
    (await (await open(server, 'words', { ...asked, format: 'croissant' })).json()) as {
      description: string
      distribution: { contentUrl: string; sha256: string }[]
    }
  const asked = { ...withO, q: 'o', order: ['-word'] }
  const { description, distribution } = await croissantOf(asked)
  expect(description).toBe(
    'Words of a few languages. This is a part of words: the items with where={"word":{"contains":"o"}} ' +
      'and q="o". Their order is -word.',
  )
  const { contentUrl, sha256 } = distribution[0]!
  const { pathname, search } = new URL(contentUrl)
  const file = await (await server.request(`${pathname}${search}`)).text()
  expect(rowsOf(file).map(({ id }) => id)).toEqual([2, 1, 4])
  expect(createHash('sha256').update(file).digest('hex')).toBe(sha256)
  expect((await croissantOf({ order: ['word'] })).description).toBe(
    'Words of a few languages. Their order is word.',
  )
  expect((await croissantOf({})).description).toBe('Words of a few languages.')
})

test('an ordered export of a whole dataset is not named a part', async () => {
  const reply = await open(server, 'words', { order: ['word'], format: 'csv' })
  expect(reply.headers.get('content-disposition')).toContain('"words.csv"')
})

test('an export has the items of the moment at which it began', async () => {
  const own = await startTestServer()
  onTestFinished(() => own.close())
  const schema = [{ name: 'word', type: 'string', length: 100 }]
  await own.client.repoCreate({ body: { name: 'words', schema } })
  const rows = Array.from({ length: 40_000 }, (_, row) => `{"word":"${row % 97} ${row}"}\n`)
  await own.client.importBegin({ datasetId: 'words', format: 'ndjson', body: rows.join('') })
  for (const asked of [{ q: '7' }, { q: '7', order: ['-word'] }]) {
    const whole = await (await open(own, 'words', asked)).text()
    const reply = await open(own, 'words', asked)
    await addItem(own.client, 'words', { word: '50 7 later' })
    expect((await reply.text()) === whole).toBe(true)
    expect((await (await open(own, 'words', asked)).text()).length).toBeGreaterThan(whole.length)
  }
})

test('an export whose query is evicted breaks off without leaving items out', async () => {
  const own = await startTestServer()
  onTestFinished(() => own.close())
  const schema = [{ name: 'word', type: 'string', length: 100 }]
  await own.client.repoCreate({ body: { name: 'words', schema } })
  await fillWords(own, 300_000)
  const breakOff = async (asked: Exploration): Promise<{ isCut: boolean }> => {
    const whole = await (await open(own, 'words', asked)).text()
    const reply = await open(own, 'words', asked)
    const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader()
    let { value: text = '' } = await reader.read()
    await own.upkeep({ explorationIdleMs: 0 })
    const isCut = await (async () => {
      for (;;) {
        const { done, value = '' } = await reader.read()
        if (done) return false
        text += value
      }
    })().catch(() => true)
    expect(isCut ? whole.startsWith(text) : whole === text).toBe(true)
    return { isCut }
  }
  expect(await breakOff({ order: ['-word'] })).toEqual({ isCut: true })
  // Of what is in the order of the repository nothing is passed over: it is read while it is there.
  await breakOff({ q: 'w' })
})

/** The items, or why there are none. */
const settled = (items: Promise<Item[]>) =>
  items.catch(({ code, body }: { code: string; body: unknown }) => ({ code, body }))

test(
  'an export of any query has the items of its pages, in the same order',
  { timeout: 60_000 + worldCount * 60_000 },
  () =>
    fc.assert(
      fc.asyncProperty(worlds, fc.constantFrom('a', 'SS', 'A b', ''), async (world, q) => {
        const own = await startTestServer()
        try {
          await createWorld(own.client, world)
          for (const dataset of world) {
            if (!('view' in dataset)) continue
            const { base, where, order = ['-id'] } = dataset.view
            const ordered = { order: [order].flat() }
            const filtered = where === undefined ? {} : { where }
            const asked: Exploration[] = [
              ordered,
              { q },
              { ...filtered, ...ordered },
              { ...filtered, ...ordered, q },
            ]
            for (const each of asked) {
              expect(await settled(exported(own, base, each))).toEqual(
                await settled(allPages(own, base, each, 3)),
              )
            }
          }
        } finally {
          await own.close()
        }
      }),
      { numRuns: worldCount, endOnFailure: true },
    ),
)
