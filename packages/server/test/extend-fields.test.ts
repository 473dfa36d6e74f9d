import { addItem, importFile, openReply } from '@vitrine/client'
import type { ExportFormat } from '@vitrine/contract'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { image, stars, startPeopleServer, title, type PeopleServer } from './people-server.ts'
import { expectRoundTrip, roundTripFormats } from './round-trip.ts'

let server: PeopleServer

beforeAll(async () => {
  server = await startPeopleServer()
})

afterAll(() => server.close())

describe('a new field', () => {
  const schema = [title, stars, { name: 'more', type: 'json', optional: true }]
  const read = async () => ({
    all: await server.items('found'),
    passing: await server.items('found', { where: { stars: { gte: 2 } } }),
    without: await server.items('found', { where: { stars: { empty: true } } }),
    ordered: await server.items('found', { order: '-stars' }),
    counted: await server.client.datasetCount({ datasetId: 'found', where: { stars: { eq: 2 } } }),
  })
  const exported = async (format: ExportFormat) => {
    const reply = await openReply(server.client, 'datasetExport', { datasetId: 'found', format })
    return new Uint8Array(await reply.arrayBuffer())
  }

  beforeAll(async () => {
    await server.create('found', [title])
    await addItem(server.client, 'found', { title: 'old' })
    // Asked for once before, so that whatever is kept of it is there.
    expect(await server.items('found')).toHaveLength(1)
    await expect(server.items('found', { order: 'stars' })).rejects.toMatchObject({
      code: 'QUERY_INVALID',
    })
    await server.extend('found', schema, { license: 'CC0-1.0' })
    await importFile(
      server.client,
      'found',
      new Blob(['{"title":"a","stars":2}\n{"title":"b","stars":3,"more":{"x":[null]}}\n']),
      { format: 'ndjson' },
    )
  })

  test('can be filtered and ordered by, also after a restart', async () => {
    const before = await read()
    expect(before.passing.map(({ data }) => data['title'])).toEqual(['a', 'b'])
    expect(before.without.map(({ data }) => data)).toEqual([{ title: 'old' }])
    expect(before.ordered.map(({ data }) => data['title'])).toEqual(['b', 'a', 'old'])
    expect(before.counted).toEqual({ totalItems: 1 })
    await server.restart()
    expect(await read()).toEqual(before)
  })

  test('is in exports, and missing for older items', async () => {
    const lines = new TextDecoder()
      .decode(await exported('ndjson'))
      .trim()
      .split('\n')
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { title: 'old' },
      { title: 'a', stars: 2 },
      { title: 'b', stars: 3, more: { x: [null] } },
    ])
    expect(JSON.parse(lines[0]!)).not.toHaveProperty('stars')
    const [header, first] = new TextDecoder().decode(await exported('csv')).split(/\r?\n/)
    expect(header).toContain('title,stars,more')
    expect(first).toContain('old,,')
    const file = (await exported('parquet')).buffer
    expect(await parquetReadObjects({ file, compressors })).toMatchObject([
      { title: 'old', stars: null },
      { title: 'a', stars: 2n },
      { title: 'b', stars: 3n },
    ])
    const croissant = new TextDecoder().decode(await exported('croissant'))
    expect(croissant).toContain('"stars"')
    expect(croissant).toContain('"license": "https://spdx.org/licenses/CC0-1.0.html"')
  })

  test.each(roundTripFormats)(
    'goes out as %s and comes back as it was',
    { tags: 'long' },
    async (format) => {
      expect(await expectRoundTrip(server.client, 'found', format)).toBe(3)
    },
  )
})

test('items from before a field are not taken for damaged', async () => {
  await server.create('scrubbed', [title])
  await addItem(server.client, 'scrubbed', { title: 'old' })
  await server.extend('scrubbed', [title, stars, { ...image, optional: true }])
  await addItem(server.client, 'scrubbed', { title: 'new', stars: 1 })
  const damaged = await server.client.damageList({})
  await server.scrub(0)
  expect(await server.client.damageList({})).toEqual(damaged)
})

test(
  'repositories are extended while eight clients insert and an import runs',
  { tags: 'long' },
  async () => {
    const { client } = server
    await server.create('busy', [title])
    await server.view('busy-view', 'busy', {
      where: { title: { starts_with: 'c' } },
      order: '-title',
    })
    const extending = new AbortController()
    const added: number[] = []
    const insert = async (from: number) => {
      for (let index = 0; !extending.signal.aborted || index < 10; index += 1) {
        const { schema } = await client.datasetGet({ datasetId: 'busy' })
        const last = schema.at(-1)!.name
        const id = await addItem(client, 'busy', {
          title: `c${from}-${index}`,
          ...(last !== 'title' && { [last]: index }),
        })
        added.push(id)
        const item = await client.datasetItemGet({ datasetId: 'busy', itemId: id })
        expect(item.data).toEqual({
          title: `c${from}-${index}`,
          ...(last !== 'title' && { [last]: index }),
        })
      }
    }
    const rows = Array.from({ length: 8_000 }, (_, index) => `{"title":"i${index}"}\n`).join('')
    const importing = importFile(client, 'busy', new Blob([rows]), { format: 'ndjson' })
    const inserting = Promise.all(Array.from({ length: 8 }, (_, from) => insert(from)))
    const schema: object[] = [title]
    const widen = async () => {
      for (let round = 0; round < 4; round += 1) {
        schema.push({ name: `n${round}`, type: 'integer', optional: true })
        await server.extend('busy', schema)
        expect(await server.schemaOf('busy-view')).toEqual(schema)
        await server.items('busy-view')
      }
    }
    await widen().finally(() => extending.abort())
    await inserting
    expect(await importing).toMatchObject({ state: 'done', rows: 8_000, refusedRows: 0 })
    const { totalItems } = await client.datasetCount({ datasetId: 'busy' })
    expect(totalItems).toBe(8_000 + added.length)
    const seen = await client.datasetCount({ datasetId: 'busy-view' })
    expect(seen).toEqual({ totalItems: added.length })
    expect(await expectRoundTrip(client, 'busy', 'ndjson')).toBe(totalItems)
  },
)
