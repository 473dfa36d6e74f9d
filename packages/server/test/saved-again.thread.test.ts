// @module-tag whole
// @module-tag rows

import { gzipSync } from 'node:zlib'
import { openReply } from '@vitrine/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'

// Files of rows as other programs save them.

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.close())

test.each([
  ['csv', ','],
  ['tsv', '\t'],
] as const)('an empty cell of a required text is the empty text in %s', async (format, comma) => {
  const { client } = server
  const datasetId = `notes-${format}`
  const schema = [
    { name: 'title', type: 'string', length: 10 },
    { name: 'note', type: 'string', length: 10, optional: true },
    { name: 'see', type: 'reference', target: datasetId, optional: true },
  ]
  await client.repoCreate({ body: { name: datasetId, schema } })
  const rows = [
    ['title', 'note', 'see'],
    ['', '""', ''],
    ['""', '', ''],
    ['a', 'b', ''],
  ]
  const body = rows.map((cells) => `${cells.join(comma)}\n`).join('')
  await client.importBegin({ datasetId, format, body })
  const dataOf = async (name: string) =>
    (await client.datasetItemList({ datasetId: name })).map(({ data }) => data)
  const expected = [{ title: '', note: '' }, { title: '' }, { title: 'a', note: 'b' }]
  expect(await dataOf(datasetId)).toEqual(expected)

  // pandas and Excel write no quotes where a cell is empty.
  const exported = await openReply(client, 'datasetExport', { datasetId, format })
  const saved = (await exported.text()).replaceAll('""', '')
  const copy = `copy-${format}`
  await client.repoCreate({ body: { name: copy, schema: schema.slice(0, 2) } })
  await client.importBegin({ datasetId: copy, format, columns: { see: null }, body: saved })
  expect(await dataOf(copy)).toEqual([{ title: '' }, { title: '' }, { title: 'a', note: 'b' }])
})

test('an empty cell of any other required field is refused', async () => {
  const { client } = server
  const schema = [
    { name: 'image', type: 'binary', mime: 'image/png' },
    { name: 'see', type: 'reference', target: 'pictures' },
  ]
  await client.repoCreate({ body: { name: 'pictures', schema } })
  const sent = client.importBegin({ datasetId: 'pictures', format: 'csv', body: 'image,see\n,\n' })
  expect(await refusal(sent)).toMatchObject({
    problems: ['row 1, image: is required', 'row 1, see: is required'],
  })
})

test('rows are taken as they are packed by gzip', async () => {
  const { client } = server
  const schema = [{ name: 'title', type: 'string', length: 10 }]
  await client.repoCreate({ body: { name: 'packed', schema } })
  const send = (format: 'ndjson' | 'csv' | 'tsv', body: Buffer) =>
    client.importBegin({ datasetId: 'packed', format, body: new Uint8Array(body) })
  const rows = Array.from({ length: 20_000 }, (_, row) => `${row}`)
  const csv = gzipSync(`title\n${rows.join('\n')}\n`)
  expect(await send('csv', csv)).toMatchObject({ state: 'done', publishedRows: 20_000 })
  const ndjson = Buffer.concat([gzipSync('{"title":"a"}\n'), gzipSync('{"title":"b"}\n')])
  expect(await send('ndjson', ndjson)).toMatchObject({ state: 'done', publishedRows: 2 })

  const problemOf = async (body: Buffer) =>
    ((await refusal(send('csv', body))) as { problems: string[] }).problems[0]
  expect(await problemOf(csv.subarray(0, -10))).toMatch(/cannot be read: unexpected end of file/)
  const bomb = gzipSync(`title\n${'a\n'.repeat(40 * 1024 ** 2)}`)
  expect(await problemOf(bomb)).toMatch(/unpacks to more than 200 times its size/)
})

test('a JSON array is rows, which are counted', async () => {
  const { client } = server
  const schema = [
    { name: 'title', type: 'string', length: 10 },
    { name: 'more', type: 'json', optional: true },
  ]
  await client.repoCreate({ body: { name: 'array', schema } })
  const send = (body: BodyInit, options: { mode?: 'skip'; key?: string } = {}) =>
    client.importBegin({ datasetId: 'array', format: 'json', ...options, body })
  const rows = Array.from({ length: 20_000 }, (_, row) => {
    return { title: `"${row},`, more: { at: [row, '[{'] } }
  })
  const text = JSON.stringify(rows, undefined, 2)
  for (const body of [text, new Uint8Array(gzipSync(text))]) {
    const { items, ...state } = await send(body)
    expect(state).toMatchObject({ state: 'done', rows: 20_000, publishedRows: 20_000 })
    const exported = await client.datasetExport({ datasetId: 'array', format: 'ndjson', ...items })
    const lines = (await exported.text()).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(
      rows.map((row) => expect.objectContaining(row) as object),
    )
  }

  const odd =
    '[{"title":"a"},\n\n{"title":"b","titel":1},\n{"title":1,"title":2}, 5, {"title":"c"}]'
  const { key, ...skipped } = await send(odd, { mode: 'skip' })
  expect(skipped).toMatchObject({ state: 'done', rows: 5, refusedRows: 3, publishedRows: 2 })
  const report = await client.importReport({ datasetId: 'array', importKey: key, format: 'ndjson' })
  expect(
    (await report.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toMatchObject([
    { row: 2, line: null, field: 'titel' },
    { row: 3, line: null, reason: 'has the same key twice' },
    { row: 4, line: null, reason: 'is not a JSON object' },
  ])

  const problemOf = async (body: BodyInit) =>
    ((await refusal(send(body))) as { problems: string[] }).problems[0]
  expect(await problemOf('[{"title":"a"}')).toMatch(/^is an array of JSON that does not end/)
  expect(await problemOf(`[${'{"title":"a"},'.repeat(9000)}]`)).toMatch(/comma .* row 9001$/)
  expect(await problemOf('[{"title":"a"}] {}')).toMatch(/something after the end/)
  const long = `[{"title":"a"},{"title":"${'x'.repeat(17 * 1024 ** 2)}"}]`
  expect(await problemOf(long)).toBe('row 2: is longer than 16 MiB')
  const bomb = gzipSync(`[{"title":"a"}${' '.repeat(80 * 1024 ** 2)}]`)
  expect(await problemOf(new Uint8Array(bomb))).toMatch(/unpacks to more than 200 times its size/)
})

test('delimiter and quote may be other ones', async () => {
  const { client } = server
  const schema = [
    { name: 'title', type: 'string', length: 10 },
    { name: 'price', type: 'string', length: 10 },
  ]
  await client.repoCreate({ body: { name: 'priced', schema } })
  const body = "title;price\n'a;\n''b\"';1,50\nc;\n"
  const options = { datasetId: 'priced', format: 'csv', delimiter: ';', quote: "'" } as const
  await client.importBegin({ ...options, body })
  const items = await client.datasetItemList({ datasetId: 'priced' })
  expect(items.map(({ data }) => data)).toEqual([
    { title: 'a;\n\'b"', price: '1,50' },
    { title: 'c', price: '' },
  ])
  const wrong = client.importBegin({ ...options, delimiter: 'ab', body })
  expect(await refusal(wrong)).toMatchObject({ status: 400 })
})
