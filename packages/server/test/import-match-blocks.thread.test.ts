// @module-tag engines

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImportState } from '@vitrine/contract'
import { refusal } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'
import { wholeImport } from './whole-import.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({}, { restarts: true })
  const code = { name: 'code', type: 'string', length: 10 }
  const note = { name: 'note', type: 'string', length: 100 }
  await server.client.repoCreate({ body: { name: datasetId, schema: [code, note] } })
  await importRows(rowsWith(() => 'as it was'))
})

afterAll(() => server.close())

const datasetId = 'towns'
/** More than a block has, and than a small table of keys has room for. */
const count = 30_000

type Options = Partial<Parameters<TestServer['client']['importBegin']>[0]>

const rowsWith = (noteOf: (at: number) => string, add: string[] = []) => {
  const lines = Array.from({ length: count }, (_, at) => `c${at},${noteOf(at)}${' '.repeat(60)}`)
  return ['code,note', ...lines, ...add, ''].join('\n')
}

const matching = { match: ['code'], reason: 'the register' }

function importRows(body: string, options: Options = {}): Promise<ImportState> {
  return wholeImport(server.client, { datasetId, format: 'csv', ...options, body })
}

const pageOf = (page: number) =>
  server.client.datasetItemList({ datasetId, current: true, page, pageSize: 1000 })

test('a key that comes twice far apart is refused, with both rows', async () => {
  const refused = importRows(rowsWith(String, ['c7,again']), matching)
  expect(await refusal(refused)).toMatchObject({
    problems: [`row ${count + 1}, code: row 8 has the same code`],
  })
})

test('of a long file the rows that differ replace their items, in their order', async () => {
  const changed = rowsWith((at) => (at % 3 === 0 ? `note ${at}` : 'as it was'))
  const state = await importRows(changed, { ...matching, confirm: true })
  expect(state).toMatchObject({ changedRows: count / 3, unchangedRows: (count * 2) / 3 })
  const named = { datasetId, importKey: state.key }
  const page = await server.client.importDifference({ ...named, page: 9, pageSize: 1000 })
  expect(page).toHaveLength(1000)
  expect(page.at(-1)?.replaces).toBe(count - 2)
  expect(page.at(-1)?.values['note']?.after).toContain(`note ${count - 3}`)
  expect(await server.client.importDifference({ ...named, page: 10, pageSize: 1000 })).toEqual([])

  await server.client.importConfirm({ ...named, outcome: state.outcome!, wait: 0 })
  await server.restart()
  await expect
    .poll(() => server.client.importGet({ ...named, wait: 20 }), { timeout: 30_000 })
    .toMatchObject({ state: 'done', publishedRows: count / 3 })
  const items = await Promise.all([0, 20, 29].map(pageOf))
  expect(items[0]![0]!.data['code']).toBe('c1')
  expect(items[1]![0]!.data).toMatchObject({ code: 'c0', note: expect.stringContaining('note 0') })
  expect(items[2]!.at(-1)!.data['code']).toBe(`c${count - 3}`)
})

test('rows are matched by a field that the repository has since, and keep what others have', async () => {
  const region = { name: 'region', type: 'string', length: 10, optional: true }
  const { schema } = await server.client.datasetGet({ datasetId })
  const body = { name: datasetId, schema: [...schema, region] }
  await server.client.repoExtend({ datasetId, body })
  await importRows('code,region\nc1,north\n', matching)
  const state = await importRows('region,code\nnorth,c1\n', { ...matching, match: ['region'] })
  expect(state).toMatchObject({ unchangedRows: 1, publishedRows: 0 })
  await importRows('region,code\nnorth,d1\n', { ...matching, match: ['region'] })
  const last = (await pageOf(29)).at(-1)
  expect(last?.data).toMatchObject({ code: 'd1', region: 'north' })
  expect(last?.data['note']).toContain('as it was')
})

test('items of more bytes than a block or a page may have are matched', async () => {
  const { client } = server
  const named = { datasetId: 'essays' }
  const text = { name: 'text', type: 'string', length: 1_000_000 }
  const number = { name: 'number', type: 'integer' }
  const read = { name: 'read', type: 'boolean', optional: true }
  await client.repoCreate({ body: { name: 'essays', schema: [number, text, read] } })
  const essays = Array.from({ length: 40 }, (_, at) => `${at},${'x'.repeat(1_000_000)}`)
  await importRows(['number,text', ...essays, ''].join('\n'), named)
  const lines = Array.from({ length: 40 }, (_, at) => `${at},${at > 0}`)
  const withLines = (others: string[]) =>
    ['number,read', ...lines.slice(0, 33), ...others, ...lines.slice(33), ''].join('\n')
  const options = { ...named, ...matching, match: ['number'] }
  // They are refused by their places in the file, in whatever part of it they are checked.
  const problemsOf = async (others: string[]) =>
    await refusal(importRows(withLines(others), options))
  expect(await problemsOf(['3,true', '99,perhaps'])).toMatchObject({
    problems: [
      'row 35, text: is required',
      'row 35, read: must be true or false',
      'row 34, number: row 4 has the same number',
    ],
  })
  expect(await problemsOf(['99,true', '98,true,1'])).toMatchObject({
    problems: ['row 35: line 36 has 3 cells, and the first line has 2'],
  })
  const state = await importRows(withLines([]), { ...options, confirm: true })
  expect(state).toMatchObject({ state: 'checked', changedRows: 40 })
  const of = { ...named, importKey: state.key }
  const refused = client.importDifference({ ...of, pageSize: 40 })
  expect(await refusal(refused)).toMatchObject({ code: 'PAGE_TOO_LARGE' })
  expect(await client.importDifference({ ...of, page: 9, pageSize: 4 })).toHaveLength(4)
  await client.importConfirm({ ...of, outcome: state.outcome!, wait: 60 })
  const [, last] = await client.datasetItemList({ ...named, current: true, page: 19, pageSize: 2 })
  expect(last?.data).toMatchObject({ number: 39, read: true })
  expect(last?.data['text']).toHaveLength(1_000_000)
})
