// @module-tag engines

import { addItem } from '@vitrine/client'
import { exportFormats } from '@vitrine/contract'
import type { RowBatch } from '@vitrine/rows/row-batch'
import { readWorkbook } from '@vitrine/rows/workbook/read-workbook'
import { ShownValue } from '@vitrine/rows/workbook/shown-value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireSheet } from '../src/exports/write-workbook.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await server.client.repoCreate({
    body: {
      name: 'notes',
      schema: [
        { name: 'title', type: 'string' },
        { name: 'count', type: 'integer', optional: true },
        { name: 'day', type: 'date', optional: true },
        { name: 'at', type: 'timestamp', optional: true },
        { name: 'ok', type: 'boolean', optional: true },
        { name: 'long', type: 'string', length: 100_000, optional: true },
        { name: 'more', type: 'json', optional: true },
      ],
    },
  })
})
afterAll(() => server.close())

const open = (path: string, init: RequestInit = {}) => server.request(`/api/dataset/${path}`, init)

/** Reads a workbook of a few rows. */
async function readRows(response: Response): Promise<RowBatch> {
  const file = await response.blob()
  const source = {
    byteLength: file.size,
    slice: (start: number, end: number) => file.slice(start, end).arrayBuffer(),
  }
  for await (const batch of readWorkbook(source, {})) return batch
  throw new Error('a workbook has a batch')
}

test('a workbook has typed cells of all columns, and names that stay in sight', async () => {
  const title = '=1+1 & <b>\r\n_x0041_\u0001'
  await addItem(server.client, 'notes', {
    title,
    count: 7,
    day: '2026-11-22',
    at: '2026-11-22T15:04:05.25Z',
    ok: true,
    more: { a: [1] },
  })
  await addItem(server.client, 'notes', {
    title: '007',
    count: Number.MAX_SAFE_INTEGER,
    day: '1850-02-03',
    at: '2026-11-22T15:04:05.123456Z',
  })
  const response = await open('notes/export?format=xlsx')
  expect(response.headers.get('content-type')).toBe(exportFormats.xlsx.mediaType)
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="notes.xlsx"')
  const batch = await readRows(response)
  expect(batch.workbook).toMatchObject({ sheet: 'items', namesRow: 1 })
  const [first, second] = batch.rows.map(({ values }) =>
    Object.fromEntries(batch.columns.map((name, index) => [name, values[index]])),
  )
  expect(first).toMatchObject({
    id: 1,
    title,
    count: 7,
    day: '2026-11-22',
    at: new ShownValue('2026-11-22T15:04:05.25Z', '2026-11-22 15:04:05.25'),
    ok: new ShownValue(true, 'TRUE'),
    more: '{"a":[1]}',
  })
  // Texts, as a spreadsheet would take other values for them.
  expect(second).toMatchObject({
    title: '007',
    count: '9007199254740991',
    day: '1850-02-03',
    at: '2026-11-22T15:04:05.123456Z',
  })
})

test('an empty dataset is a workbook of names, and a part has its rows', async () => {
  await server.client.viewCreate({
    body: { name: 'none', base: 'notes', where: { title: { eq: 'nothing' } } },
  })
  const none = await readRows(await open('none/export?format=xlsx'))
  expect(none).toMatchObject({
    rows: [],
    columns: ['id', 'createdAt', 'title', 'count', 'day', 'at', 'ok', 'long', 'more'],
  })
  const part = await readRows(await open('notes/export?format=xlsx&from=1&to=2'))
  expect(part.rows.map(({ values }) => values[0])).toEqual([2])
})

test.each([
  ['long', { long: 'x'.repeat(32_768) }],
  ['more', { more: ['x'.repeat(40_000)] }],
])('a text of %s that no cell holds is refused, and where it is', async (name, value) => {
  const repo = `with-${name}`
  const { schema } = await server.client.datasetGet({ datasetId: 'notes' })
  await server.client.repoCreate({ body: { name: repo, schema } })
  await addItem(server.client, repo, { title: 'short', long: 'x'.repeat(32_767) })
  expect((await open(`${repo}/export?format=xlsx`)).status).toBe(200)
  await addItem(server.client, repo, { title: 'long', ...value })
  const refused = await open(`${repo}/export?format=xlsx`)
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    code: 'QUERY_INVALID',
    details: {
      problems: [
        {
          path: ['format'],
          reason: expect.stringMatching(
            new RegExp(
              `^the field ${name} of item 2 has [\\d,]+ characters, and a cell of a sheet 32,767`,
            ),
          ),
        },
      ],
    },
  })
  expect((await open(`${repo}/export?format=xlsx`, { method: 'HEAD' })).status).toBe(400)
  expect((await open(`${repo}/export?format=xlsx&to=1`)).status).toBe(200)
})

test('more rows than a sheet has are refused before one is read', async () => {
  const snapshot = {
    count: 2_000_000,
    fields: [],
    read: () => {
      throw new Error('read')
    },
  }
  const require = (to: number) => requireSheet(snapshot, { from: 10, to, columns: [] })
  await expect(require(1_048_585)).resolves.toBeUndefined()
  await expect(require(1_048_586)).rejects.toMatchObject({
    code: 'QUERY_INVALID',
    details: { problems: [{ reason: expect.stringContaining('and these are 1,048,576') }] },
  })
})
