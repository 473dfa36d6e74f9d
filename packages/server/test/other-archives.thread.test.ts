// @module-tag whole
// @module-tag imports

import { afterAll, beforeAll, expect, test } from 'vitest'
import { png, refusal } from './photos.ts'
import { zip } from './sample-archives.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  const schema = [
    { name: 'title', type: 'string', length: 30 },
    { name: 'image', type: 'binary', mime: 'image/*', optional: true },
  ]
  await server.client.repoCreate({ body: { name: 'photos', schema } })
})

afterAll(() => server.close())

const send = (body: BodyInit, format: 'zip' | 'ndjson') =>
  server.client.importBegin({ datasetId: 'photos', format, body })

test('an archive may have all in one folder, and an SVG is one by its name', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  const state = await send(
    await zip([
      ['my photos/rows.csv', 'title,image\na,images/a.png\nb,images/b.SVG\n'],
      ['my photos/images/a.png', png],
      ['my photos/images/b.SVG', svg],
      ['__MACOSX/my photos/._rows.csv', 'x'],
    ]),
    'zip',
  )
  expect(state).toMatchObject({ state: 'done', publishedRows: 2 })
  const itemId = state.items!.firstId
  const { integrity } = await server.client.datasetItemGet({
    datasetId: 'photos',
    itemId: itemId + 1,
  })
  expect(integrity!['image']).toMatchObject({ mime: 'image/svg+xml', size: svg.length })
})

test.each<[string, Record<string, string>, RegExp]>([
  ['two folders', { 'a/rows.csv': 'title\nx\n', 'b/x': '' }, /^there is none of rows.ndjson/],
  ['rows deeper down', { 'a/b/rows.csv': 'title\nx\n' }, /^there is none of rows.ndjson/],
  [
    'rows twice in the folder',
    { 'a/rows.csv': 'title\nx\n', 'a/rows.tsv': 'title\nx\n' },
    /one is enough/,
  ],
])('%s are refused', async (_, files, reason) => {
  const refused = (await refusal(send(await zip(Object.entries(files)), 'zip'))) as {
    problems: string[]
  }
  expect(refused).toMatchObject({ code: 'IMPORT_MALFORMED' })
  expect(refused.problems[0]).toMatch(reason)
})

test('numbers beyond all doubles stay as they are written', async () => {
  const rows = ['{"title":1e999}', '{"title":-1e999,"image":null,"x":{"y":1e999}}']
  const state = await server.client.importBegin({
    datasetId: 'photos',
    format: 'ndjson',
    columns: { x: null },
    body: rows.join('\n'),
  })
  const { firstId } = state.items!
  const items = await server.client.datasetItemList({ datasetId: 'photos' })
  const titles = items.filter(({ id }) => id >= firstId).map(({ data }) => data['title'])
  expect(titles).toEqual(['1e999', '-1e999'])
})

test('doubles beyond the exact integers are their shortest text', async () => {
  const rows = [
    '{"title":1e20}',
    '{"title":100000000000000000000.0,"image":null,"x":{"y":1}}',
    '{"title":1.5e300}',
  ]
  const state = await server.client.importBegin({
    datasetId: 'photos',
    format: 'ndjson',
    columns: { x: null },
    body: rows.join('\n'),
  })
  const { firstId } = state.items!
  const items = await server.client.datasetItemList({ datasetId: 'photos' })
  const titles = items.filter(({ id }) => id >= firstId).map(({ data }) => data['title'])
  expect(titles).toEqual(['100000000000000000000', '100000000000000000000', '1.5e+300'])
  expect(await refusal(send('{"title":12345678901234567890}', 'ndjson'))).toMatchObject({
    problems: ['row 1, title: must be text, or a number that is exact'],
  })
})
