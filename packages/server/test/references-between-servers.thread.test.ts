import { addItem, importFile, openReply, type Client } from '@vitrine/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { png, refusal } from './photos.ts'
import { roundTripFormats } from './round-trip.ts'
import { startTestServer, type TestServer } from './server.ts'

const countries = [{ name: 'name', type: 'string', length: 50 }]
const towns = [
  { name: 'name', type: 'string', length: 50 },
  { name: 'country', type: 'reference', target: 'countries', optional: true },
]
const authors = [
  { name: 'name', type: 'string', length: 50 },
  { name: 'from', type: 'reference', target: 'towns', optional: true },
  { name: 'image', type: 'binary', mime: 'image/png', optional: true },
]
const books = [
  { name: 'title', type: 'string', length: 50 },
  { name: 'by', type: 'reference', target: 'writers' },
  { name: 'with', type: 'reference', target: 'authors', optional: true },
]

let source: TestServer
let target: TestServer

async function createAll({ client }: TestServer): Promise<void> {
  const repos = { countries, towns, authors }
  for (const [name, schema] of Object.entries(repos)) {
    await client.repoCreate({ body: { name, schema } })
  }
  await client.viewCreate({
    body: { name: 'writers', base: 'authors', where: { name: { neq: 'Nobody' } } },
  })
  await client.repoCreate({ body: { name: 'books', schema: books } })
}

async function exported(
  { client }: TestServer,
  datasetId: string,
  {
    format = 'ndjson',
    integrity = true,
  }: { format?: (typeof roundTripFormats)[number]; integrity?: boolean } = {},
): Promise<Blob> {
  return (await openReply(client, 'datasetExport', { datasetId, format, integrity })).blob()
}

/** Each book with the names of those that it leads to. */
async function booksOf(client: Client, datasetId: string): Promise<unknown[]> {
  const nameOf = async (id: unknown) =>
    id === undefined
      ? undefined
      : (await client.datasetItemGet({ datasetId: 'authors', itemId: Number(id) })).data['name']
  const items = await client.datasetItemList({ datasetId })
  return Promise.all(
    items.map(async ({ data }) => [
      data['title'],
      await nameOf(data['by']),
      await nameOf(data['with']),
    ]),
  )
}

beforeAll(async () => {
  source = await startTestServer()
  target = await startTestServer()
  await createAll(source)
  const { client } = source
  // An insert that is abandoned leaves a gap in the ids.
  for (const datasetId of ['countries', 'towns', 'authors']) await client.insertBegin({ datasetId })
  const [nz, uk] = [
    await addItem(client, 'countries', { name: 'New Zealand' }),
    await addItem(client, 'countries', { name: 'United Kingdom' }),
  ]
  // Alike but for what they refer to.
  const [here, there] = [
    await addItem(client, 'towns', { name: 'Cambridge', country: nz }),
    await addItem(client, 'towns', { name: 'Cambridge', country: uk }),
  ]
  const ids: number[] = []
  const image = new Blob([png], { type: 'image/png' })
  const made: Record<string, string | number | Blob>[] = [
    { name: 'Anna', from: here },
    { name: 'Bert', image },
    { name: 'Cleo' },
    { name: 'Anna', from: there, image },
  ]
  for (const author of made) ids.push(await addItem(client, 'authors', author))
  await addItem(client, 'books', { title: 'Book of Anna', by: ids[0]!, with: ids[1]! })
  await addItem(client, 'books', { title: 'Book of Cleo', by: ids[2]! })
  await addItem(client, 'books', { title: 'Book of the other Anna', by: ids[3]! })
  await createAll(target)
  for (const name of ['countries', 'towns', 'authors'] as const) {
    await importFile(target.client, name, await exported(source, name, { format: 'zip' }), {
      format: 'zip',
    })
  }
})

afterAll(async () => {
  await source.close()
  await target.close()
})

test.each(roundTripFormats)(
  'references lead to the same items on another server, by %s',
  async (format) => {
    const name = `books-${format}`
    await target.client.repoCreate({ body: { name, schema: books } })
    const file = await exported(source, 'books', { format })
    const state = await importFile(target.client, name, file, { format })
    expect(state).toMatchObject({ state: 'done', refusedRows: 0 })
    expect(await booksOf(target.client, name)).toEqual(await booksOf(source.client, 'books'))
    expect(await booksOf(target.client, name)).toEqual([
      ['Book of Anna', 'Anna', 'Bert'],
      ['Book of Cleo', 'Cleo', undefined],
      ['Book of the other Anna', 'Anna', undefined],
    ])
    const [anna, , other] = await target.client.datasetItemList({ datasetId: name })
    expect(anna!.data['by']).not.toBe(other!.data['by'])
  },
)

test('a seal that no item or several items match is refused', async () => {
  const { client } = target
  const anna = await addItem(source.client, 'authors', { name: 'Dora' })
  await addItem(source.client, 'books', { title: 'Book of Dora', by: anna, with: anna })
  const again = async () => {
    const file = await exported(source, 'books')
    const refused = await refusal(
      client.importBegin({ datasetId: 'books', format: 'ndjson', body: file }),
    )
    return (refused as { code: string; problems: string[] }).problems
  }
  const before = await client.datasetCount({ datasetId: 'books' })
  expect(await again()).toEqual([
    expect.stringMatching(
      /^row 4, by: item \d+ of "writers" is not the one that the seal is of, and no other item is$/,
    ),
    expect.stringMatching(/^row 4, with: .* and no other item is$/),
  ])
  // So that neither has the id that it has there.
  for (let time = 0; time < 3; time += 1) await client.insertBegin({ datasetId: 'authors' })
  for (let time = 0; time < 2; time += 1) await addItem(client, 'authors', { name: 'Dora' })
  expect((await again()).map((problem) => problem.replace(/.*seal is of/, ''))).toEqual([
    ', and several others are',
    ', and several others are',
  ])
  expect(await client.datasetCount({ datasetId: 'books' })).toEqual(before)
})

test('a seal needs its value, and no lookup beside it', async () => {
  const rows = [
    { title: 'a', by: 1, 'by.seal': '0'.repeat(64) },
    { title: 'b', by: 1, with: null, 'with.seal': '0'.repeat(64) },
    { title: 'c', by: { lookup: { name: 'Anna' } }, 'by.seal': '0'.repeat(64) },
  ]
  const body = rows.map((row) => JSON.stringify(row)).join('\n')
  const sent = target.client.importBegin({ datasetId: 'books', format: 'ndjson', body })
  expect(await refusal(sent)).toMatchObject({
    code: 'IMPORT_REFUSED',
    problems: [
      'row 1, by: item 1 of "writers" is not the one that the seal is of, and no other item is',
      'row 2, with: has a seal and no value',
      'row 3, by: has a lookup and a seal, and one is enough',
    ],
  })
})
