// @module-tag engines

import { addItem } from '@vitrine/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImportState, Refusal } from '@vitrine/contract'
import { png, refusal, sha256, startPhotoServer, type PhotoServer } from './photos.ts'
import { wholeImport } from './whole-import.ts'

let server: PhotoServer

beforeAll(async () => {
  server = await startPhotoServer({}, { restarts: true })
  await server.client.repoCreate({
    body: {
      name: 'notes',
      schema: [
        { name: 'title', type: 'string', length: 5 },
        { name: 'by', type: 'reference', target: 'people' },
        { name: 'text', type: 'string', length: 1000, optional: true },
      ],
    },
  })
})

afterAll(() => server.close())

const datasetId = 'notes'
type Options = Partial<Parameters<PhotoServer['client']['importBegin']>[0]>

const importRows = (body: BodyInit, options: Options = {}): Promise<ImportState> =>
  wholeImport(server.client, { datasetId, format: 'ndjson', ...options, body } as never)

const ndjson = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const count = async () => (await server.client.datasetCount({ datasetId })).totalItems
const report = async (importKey: string): Promise<Refusal[]> => {
  const blob = await server.client.importReport({ datasetId, importKey })
  const lines = (await blob.text()).split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Refusal)
}

test.each([
  ['filtered', { where: { name: { starts_with: 'New' } } }],
  ['ordered', { where: { name: { starts_with: 'New' } }, order: '-name', limit: 50 }],
])('rows refer to items of a view that is %s, which nobody has read yet', async (name, clauses) => {
  const { client } = server
  await client.viewCreate({ body: { name, base: 'people', ...clauses } })
  await client.repoCreate({
    body: { name: `to-${name}`, schema: [{ name: 'by', type: 'reference', target: name }] },
  })
  await server.restart()
  const ids = [
    await addItem(client, 'people', { name: 'New One' }),
    await addItem(client, 'people', { name: 'New Two' }),
  ]
  const rows = ids.map((by) => ({ by }))
  const state = await importRows(ndjson(rows), { datasetId: `to-${name}` })
  expect(state).toMatchObject({ state: 'done', publishedRows: 2 })
  const bad = importRows(ndjson([{ by: 1 }]), { datasetId: `to-${name}` })
  expect(await refusal(bad)).toMatchObject({
    problems: [`row 1, by: there is no item 1 in "${name}"`],
  })
})

describe('a file of rows becomes items', () => {
  test('from NDJSON in the same order, with a digest of each value', async () => {
    const before = await count()
    const state = await importRows(
      ndjson([
        { title: 'A', by: 1, text: 'line\nbreak "quoted" ünï 🦊' },
        { id: 99, createdAt: 'x', title: 'B', by: '1' },
        { title: 5, by: 1, text: null },
      ]),
    )
    expect(state).toMatchObject({ state: 'done', rows: 3, refusedRows: 0, publishedRows: 3 })
    expect(state.items).toMatchObject({ from: before, to: before + 3 })
    expect(await count()).toBe(before + 3)
    const { firstId } = state.items!
    const first = await server.get(firstId, datasetId)
    expect(first.data).toEqual({ title: 'A', by: 1, text: 'line\nbreak "quoted" ünï 🦊' })
    expect(first.integrity).toEqual({
      title: { sha256: sha256('A'), size: 1 },
      by: { sha256: sha256('1'), size: 1 },
      text: { sha256: sha256('line\nbreak "quoted" ünï 🦊'), size: 30 },
    })
    expect((await server.get(firstId + 1, datasetId)).data).toEqual({ title: 'B', by: 1 })
    expect((await server.get(firstId + 2, datasetId)).data).toEqual({ title: '5', by: 1 })
  })

  test('from CSV, where an empty cell is missing and a quoted empty cell is an empty text', async () => {
    const body = '\ufefftitle,text,by\r\n"A,""b""",,1\r\nB,"",1\n"C","two\nlines",1'
    const state = await importRows(body, { format: 'csv' })
    const { firstId } = state.items!
    const data = async (id: number) => (await server.get(id, datasetId)).data
    expect(await data(firstId)).toEqual({ title: 'A,"b"', by: 1 })
    expect(await data(firstId + 1)).toEqual({ title: 'B', text: '', by: 1 })
    expect(await data(firstId + 2)).toEqual({ title: 'C', text: 'two\nlines', by: 1 })
  })

  test('from TSV, with columns mapped and left out', async () => {
    const columns = { Name: 'title', Who: 'by.lookup.name', Junk: null }
    const state = await importRows('Name\tJunk\tWho\nX\tnothing\tAda\n', { format: 'tsv', columns })
    expect((await server.get(state.items!.firstId, datasetId)).data).toEqual({ title: 'X', by: 1 })
  })

  test('with digests that are checked', async () => {
    const good = { title: 'A', by: { lookup: { name: 'Ada' } } }
    const integrity = { title: { sha256: sha256('A') }, by: { sha256: sha256('1') } }
    const rows = [
      { ...good, integrity },
      { ...good, 'title.sha256': sha256('B') },
      { ...good, 'text.sha256': sha256('') },
    ]
    const { key, state } = await importRows(ndjson(rows), { mode: 'skip' })
    expect(state).toBe('done')
    expect(await report(key)).toEqual([
      { row: 2, line: 2, field: 'title', reason: `has the sha256 ${sha256('A')}`, value: 'A' },
      { row: 3, line: 3, field: 'text', reason: 'has a digest and no value', value: null },
    ])
  })
})

const badRows = [
  { title: 'A', by: 1 },
  { title: 'too long', by: 1 },
  { title: 'B', by: 77, txt: 'x' },
  'not an object',
  { by: 'x', text: 'a\0b' },
  { title: 'C', by: { lookup: { name: 'Nobody' } } },
  { title: 'D', by: { lookup: { nam: 'Ada' } } },
  { title: '\ud800', by: 1 },
  { title: 'E', by: 1 },
] as object[]

const reasons = [
  {
    row: 2,
    line: 2,
    field: 'title',
    reason: 'must be at most 5 characters (code points)',
    value: 'too long',
  },
  {
    row: 3,
    line: 3,
    field: 'txt',
    reason: 'unknown field "txt"; did you mean "text"?',
    value: null,
  },
  { row: 3, line: 3, field: 'by', reason: 'there is no item 77 in "people"', value: '77' },
  { row: 4, line: 4, field: null, reason: 'is not a JSON object', value: null },
  { row: 5, line: 5, field: 'title', reason: 'is required', value: null },
  {
    row: 5,
    line: 5,
    field: 'by',
    reason: 'must be the id of an item in decimal digits, without leading zeros',
    value: 'x',
  },
  { row: 5, line: 5, field: 'text', reason: 'must not contain U+0000', value: 'a\ufffdb' },
  { row: 6, line: 6, field: 'by', reason: 'no item has "Nobody" as its "name"', value: 'Nobody' },
  {
    row: 7,
    line: 7,
    field: 'by',
    reason: 'the target has no field "nam" to look up by',
    value: 'Ada',
  },
  {
    row: 8,
    line: 8,
    field: 'title',
    reason: 'must not contain half of a surrogate pair',
    value: '\ufffd',
  },
]

describe('rows that do not conform', () => {
  test('keep everything out, and the report names each of them', async () => {
    const before = await count()
    const rows = badRows.filter((row) => typeof row === 'object')
    expect(await refusal(importRows(ndjson(rows), { key: 'bad' }))).toMatchObject({
      status: 422,
      code: 'IMPORT_REFUSED',
      problems: expect.arrayContaining([`row 2, title: ${reasons[0]!.reason}`]),
    })
    expect(await count()).toBe(before)
    expect(await report('bad')).toHaveLength(9)
    const state = await server.client.importGet({ datasetId, importKey: 'bad' })
    expect(state).toMatchObject({ state: 'failed', rows: 8, refusedRows: 6, publishedRows: 0 })
    expect(state.error).toMatchObject({ code: 'IMPORT_REFUSED', details: { refusedRows: 6 } })
  })

  test('are left out with mode=skip, and the report gives the reason for each', async () => {
    const before = await count()
    const state = await importRows(ndjson(badRows), { mode: 'skip', key: 'skipped' })
    expect(state).toMatchObject({ state: 'done', rows: 9, refusedRows: 7, publishedRows: 2 })
    expect(await count()).toBe(before + 2)
    expect(await report('skipped')).toEqual(reasons)
    const csv = await server.client.importReport({ datasetId, importKey: 'skipped', format: 'csv' })
    expect((await csv.text()).split('\r\n').slice(0, 2)).toEqual([
      'row,line,field,reason,value',
      '2,2,title,must be at most 5 characters (code points),too long',
    ])
  })
})

describe('the same key', () => {
  test('starts no second import, and is refused with other options', async () => {
    const body = ndjson([{ title: 'once', by: 1 }])
    const first = await importRows(body, { key: 'once' })
    const before = await count()
    expect(await importRows(body, { key: 'once' })).toEqual(first)
    expect(await count()).toBe(before)
    expect(await refusal(importRows(body, { key: 'once', mode: 'skip' }))).toEqual({
      status: 409,
      code: 'IMPORT_KEY_TAKEN',
    })
  })

  test('begins anew after a failure', async () => {
    await refusal(importRows('{"title"', { key: 'again' }))
    const state = await importRows(ndjson([{ title: 'good', by: 1 }]), { key: 'again' })
    expect(state.state).toBe('done')
  })
})

describe('an upload in parts', () => {
  const body = Buffer.from(ndjson(Array.from({ length: 50 }, () => ({ title: 'part', by: 1 }))))

  test('goes on where it was interrupted', async () => {
    const before = await count()
    const key = { datasetId, importKey: 'parts' }
    const begun = await importRows(body.subarray(0, 100), { key: 'parts', complete: false })
    expect(begun).toMatchObject({ state: 'receiving', receivedBytes: 100 })
    const { client } = server
    expect(await refusal(client.importAppend({ ...key, offset: 50, body: 'x' }))).toEqual({
      status: 409,
      code: 'IMPORT_OFFSET',
    })
    await client.importAppend({ ...key, offset: 100, body: body.subarray(100, 1000) })
    await server.restart()
    const { receivedBytes } = await client.importGet(key)
    expect(receivedBytes).toBe(1000)
    const rest = body.subarray(receivedBytes)
    const last = { ...key, offset: receivedBytes, complete: true, wait: 30, body: rest }
    expect(await client.importAppend(last)).toMatchObject({ state: 'done', publishedRows: 50 })
    expect(await count()).toBe(before + 50)
  })

  test('can start again from the beginning', async () => {
    await importRows(body.subarray(0, 777), { key: 'whole', complete: false })
    const state = await importRows(body, { key: 'whole' })
    expect(state).toMatchObject({ state: 'done', publishedRows: 50, receivedBytes: body.length })
  })

  test('may begin again with less than is there, unless that is to be the whole file', async () => {
    await importRows(body.subarray(0, 500), { key: 'shorter', complete: false })
    const again = await importRows(body.subarray(0, 100), { key: 'shorter', complete: false })
    expect(again).toMatchObject({ state: 'receiving', receivedBytes: 500 })
    const whole = importRows(body.subarray(0, 100), { key: 'shorter' })
    expect(await refusal(whole)).toEqual({ status: 409, code: 'IMPORT_OFFSET' })
    expect(await importRows(body, { key: 'shorter' })).toMatchObject({ publishedRows: 50 })
  })

  test('is cancelled, and its bytes are collected', async () => {
    await importRows(png, { key: 'cancelled', complete: false })
    await server.client.importCancel({ datasetId, importKey: 'cancelled' })
    const state = await server.client.importGet({ datasetId, importKey: 'cancelled' })
    expect(state.state).toBe('cancelled')
    expect(await server.upkeep()).toBeGreaterThan(0)
    const done = server.client.importCancel({ datasetId, importKey: 'whole' })
    expect(await refusal(done)).toEqual({ status: 409, code: 'IMPORT_DONE' })
  })
})

test('imports are listed, newest first', async () => {
  const [newest, ...others] = await server.client.importList({ datasetId })
  expect(newest).toMatchObject({ key: 'cancelled', state: 'cancelled' })
  expect(others.length).toBeGreaterThan(3)
})

test.each([
  ['of no repository', 'nobody', 'REPO_NOT_FOUND'],
  ['of a view', 'shown', 'REPO_NOT_FOUND'],
])('an import %s is refused', async (_, name, code) => {
  await server.client.viewCreate({ body: { name: 'shown', base: 'people' } })
  expect(await refusal(importRows('', { datasetId: name }))).toEqual({ status: 404, code })
})

test('columns that are mapped to nothing are refused before anything is sent', async () => {
  const refused = await refusal(importRows('', { columns: { A: 'titel' } }))
  expect(refused).toMatchObject({ status: 404, code: 'FIELD_NOT_IN_SCHEMA' })
})

test('an upload that nobody went on with is cancelled, and what ended is forgotten in time', async () => {
  const importKey = 'abandoned'
  await importRows('{"title"', { key: importKey, complete: false })
  await server.upkeep({ imports: { idleMs: 0, keptMs: 3_600_000 } })
  expect(await server.client.importGet({ datasetId, importKey })).toMatchObject({
    state: 'cancelled',
  })
  await server.upkeep({ imports: { idleMs: 0, keptMs: 0 } })
  const gone = server.client.importGet({ datasetId, importKey })
  expect(await refusal(gone)).toEqual({ status: 404, code: 'IMPORT_NOT_FOUND' })
})
