// @module-tag engines

import { ApiError, addItem, sha256, verifyItem } from '@vitrine/client'
import type { ImportState } from '@vitrine/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readEntry } from '@vitrine/transparency-log'
import { refusal } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'
import { fileOf, problemsOf, wholeImport } from './whole-import.ts'

let server: TestServer
let datasetId: string

beforeAll(async () => {
  server = await startTestServer({}, { restarts: true })
})

afterAll(() => server.close())

let number = 0
/** Every test has a repository of its own, with three cats. */
beforeEach(async () => {
  datasetId = `cats-${(number += 1)}`
  const schema = [
    { name: 'name', type: 'string', length: 20 },
    { name: 'age', type: 'integer', optional: true },
    { name: 'height', type: 'number', optional: true },
    { name: 'born', type: 'timestamp', optional: true },
    { name: 'mother', type: 'reference', target: datasetId, optional: true },
    { name: 'picture', type: 'binary', mime: 'text/*', optional: true },
  ]
  await server.client.repoCreate({ body: { name: datasetId, schema } })
  const picture = new Blob(['a picture'], { type: 'text/markdown' })
  await add({ name: 'Tom', age: 4, height: 0.5, born: '2026-11-28T10:00:00Z', picture })
  await add({ name: 'Tim', age: 5, mother: 1 })
  await add({ name: 'Kim' })
})

const add = (values: Parameters<typeof addItem>[2]) => addItem(server.client, datasetId, values)
type Options = Partial<Parameters<TestServer['client']['importBegin']>[0]>

function importRows(rows: object[] | string, options: Options = {}): Promise<ImportState> {
  const matching = { match: ['name'], reason: 'the register' }
  return wholeImport(server.client, { datasetId, ...matching, ...options, ...fileOf(rows) })
}

/** Current items by their values. */
async function cats() {
  const items = await server.client.datasetItemList({ datasetId, current: true, pageSize: 100 })
  return items.map(({ data }) => data)
}

const tom = { name: 'Tom', age: 4, height: 0.5, born: '2026-11-28T10:00:00Z' }
const count = async () => (await server.client.datasetCount({ datasetId })).totalItems

describe('rows that are matched with items', () => {
  test('do nothing where they are the same, replace what differs, and add what is new', async () => {
    const state = await importRows([
      { name: 'Tim', age: 6 },
      { name: 'Tom', age: 4, born: '2026-11-28T11:00:00+01:00' },
      { name: 'Mia', age: 1 },
    ])
    expect(state).toMatchObject({
      state: 'done',
      rows: 3,
      changedRows: 1,
      unchangedRows: 1,
      publishedRows: 2,
      items: { from: 3, to: 5, firstId: 4 },
    })
    expect(await cats()).toMatchObject([
      tom,
      { name: 'Kim' },
      { name: 'Tim', age: 6, mother: 1 },
      { name: 'Mia', age: 1 },
    ])
    const versions = await server.client.datasetVersionList({ datasetId, itemId: 2 })
    expect(versions).toMatchObject([
      { id: 2, change: 'added' },
      { id: 4, change: 'corrected', reason: 'the register' },
    ])
  })

  test('keep what a file has no column for, and lose what its cells leave empty', async () => {
    await importRows('name,age\nTom,\nTim,5\n')
    expect(await cats()).toMatchObject([{ name: 'Tim' }, { name: 'Kim' }, { name: 'Tom' }])
    const [, , corrected] = await cats()
    const { age: _, ...others } = tom
    expect(corrected).toEqual({ ...others, picture: expect.any(String) })
    const { integrity } = await server.client.datasetItemGet({ datasetId, itemId: 4 })
    expect(integrity?.['picture']).toMatchObject({ mime: 'text/markdown' })
  })

  test('of NDJSON lose what is null alone', async () => {
    await importRows([{ name: 'Tom', age: null }])
    const [, , corrected] = await cats()
    expect(corrected).toMatchObject({ name: 'Tom', height: 0.5 })
    expect(corrected).not.toHaveProperty('age')
  })

  test.each(['ndjson', 'csv', 'tsv', 'parquet', 'xlsx', 'zip'] as const)(
    'change nothing where an export as %s comes back as it is',
    async (format) => {
      const body = await server.client.datasetExport({ datasetId, format })
      const matching = { match: ['id'], reason: 'nothing' }
      const state = await wholeImport(server.client, { datasetId, format, ...matching, body })
      expect(state).toMatchObject({ state: 'done', rows: 3, unchangedRows: 3, publishedRows: 0 })
      expect(state.items).toBeUndefined()
      expect(await count()).toBe(3)
    },
  )

  test('are found by their id, and are new without one', async () => {
    await importRows('id,name\n2,Timothy\n,Mia\n', { match: ['id'] })
    expect(await cats()).toMatchObject([
      tom,
      { name: 'Kim' },
      { name: 'Timothy', age: 5, mother: 1 },
      { name: 'Mia' },
    ])
  })

  test('are found by several fields, references and bytes among them', async () => {
    await importRows([{ mother: 1, age: 5, name: 'Timothy' }], { match: ['mother', 'age'] })
    const { integrity } = await server.client.datasetItemGet({ datasetId, itemId: 1 })
    const picture = integrity!['picture']!.sha256
    await importRows([{ picture, name: 'Thomas' }], { match: ['picture'] })
    expect(await cats()).toMatchObject([
      { name: 'Kim' },
      { name: 'Timothy', age: 5 },
      { name: 'Thomas', age: 4 },
    ])
  })

  test('are found by what a lookup leads to', async () => {
    const rows = 'mother.lookup.name,name\nTom,Timothy\n'
    expect(await importRows(rows, { match: ['mother'] })).toMatchObject({ changedRows: 1 })
  })

  test('correct what was corrected before', async () => {
    await importRows([{ name: 'Tim', age: 6 }])
    await importRows([{ name: 'Tim', age: 7 }])
    const versions = await server.client.datasetVersionList({ datasetId, itemId: 5 })
    expect(versions.map(({ id }) => id)).toEqual([2, 4, 5])
  })

  test('have entries in the log that say what they replace', async () => {
    await importRows([{ name: 'Tim', age: 6 }, { name: 'Mia' }])
    const proof = await server.client.logProof({ datasetId, itemId: 4 })
    const [, extra = ''] = /^extra (.*)$/m.exec(await proof.text()) ?? []
    expect(readEntry(Buffer.from(extra, 'base64').toString())).toMatchObject({ replaces: 2 })
    for (const itemId of [1, 2, 3, 4, 5]) {
      const of = { repo: datasetId, itemId }
      const { checks } = await verifyItem(server.client, of, { known: undefined, sha256 })
      expect(checks.filter(({ passed }) => passed === false)).toEqual([])
    }
  })
})

describe('rows are refused, and nothing is changed', () => {
  test.each([
    ['twice in a file', '3,A\n3,B\n', ['id'], 'row 2: row 1 has the same id'],
    ['of no item', '9,A\n', ['id'], 'row 1: there is no item 9'],
    ['of no id', 'x,A\n', ['id'], 'row 1, id: must be'],
    ['of a replaced item', '2,A\n', ['id'], 'row 1: item 2 was replaced by item 4'],
    ['of several items', '1,Kim\n', ['name'], 'row 1, name: several items have it'],
  ])('%s', async (_, rows, match, problem) => {
    await importRows([{ name: 'Tim', age: 6 }])
    await add({ name: 'Kim' })
    const before = await cats()
    const problems = await problemsOf(importRows(`id,name\n${rows}`, { match }))
    expect(problems[0]).toContain(problem)
    expect(await cats()).toEqual(before)
  })

  test.each([
    ['a row lacks what it is matched by', [{ age: 6 }], 'row 1, name: is needed to find the item'],
    ['a new row lacks what is required', [{ mother: 7, name: 'Mia' }], 'there is no item 7'],
  ])('%s', async (_, rows, problem) => {
    const problems = await problemsOf(importRows(rows))
    expect(problems[0]).toContain(problem)
    expect(await count()).toBe(3)
  })

  test.each([
    ['a field that is not there', { match: ['nam'] }, 'FIELD_NOT_IN_SCHEMA'],
    ['id and a field', { match: ['id', 'name'] }, 'QUERY_INVALID'],
    ['a field twice', { match: ['name', 'name'] }, 'QUERY_INVALID'],
    ['no reason', { reason: undefined }, 'QUERY_INVALID'],
    ['a reason of spaces', { reason: ' ' }, 'QUERY_INVALID'],
    ['some rows left out', { mode: 'skip' as const }, 'QUERY_INVALID'],
  ])('where they are to be matched by %s', async (_, options, code) => {
    expect(await refusal(importRows([{ name: 'Tim' }], options))).toMatchObject({ code })
  })

  test('and each is counted once', async () => {
    const importing = importRows('id,name\n9,A\n9,B\n', { match: ['id'] })
    const error = await importing.catch((thrown: unknown) => thrown as ApiError)
    expect(error).toMatchObject({ body: { details: { refusedRows: 2 } } })
  })

  test('where a file has no column for what they are matched by', async () => {
    const problems = await problemsOf(importRows('age\n4\n'))
    expect(problems).toEqual(['columns.name: there is no column for "name"'])
  })
})

describe('an import that is to be confirmed', () => {
  const begin = (rows: object[]) => importRows(rows, { confirm: true })
  const confirm = ({ key, outcome = '' }: ImportState) =>
    server.client.importConfirm({ datasetId, importKey: key, outcome, wait: 20 })

  test('says what it is to change, and waits', async () => {
    const state = await begin([{ name: 'Tim', age: 6 }, { name: 'Kim' }, { name: 'Mia' }])
    expect(state).toMatchObject({ state: 'checked', changedRows: 1, unchangedRows: 1, rows: 3 })
    const of = { datasetId, importKey: state.key }
    expect(await server.client.importDifference(of)).toEqual([
      { replaces: 2, values: { age: { before: 5, after: 6 } } },
      { replaces: null, values: { name: { after: 'Mia' } } },
    ])
    expect(await server.client.importDifference({ ...of, page: 1, pageSize: 1 })).toMatchObject([
      { replaces: null },
    ])
    expect(await count()).toBe(3)
    await server.restart()
    expect(await confirm(state)).toMatchObject({ state: 'done', publishedRows: 2 })
    // The reply may have been lost.
    expect(await confirm(state)).toMatchObject({ state: 'done' })
    expect(await count()).toBe(5)
  })

  test('does nothing where it is cancelled', async () => {
    const state = await begin([{ name: 'Tim', age: 6 }])
    await server.client.importCancel({ datasetId, importKey: state.key })
    expect(await refusal(confirm(state))).toMatchObject({ code: 'IMPORT_NOT_CHECKED' })
    expect(await count()).toBe(3)
  })

  test('waits again where others have changed what it is to change', async () => {
    const state = await begin([{ name: 'Tim', age: 6 }, { name: 'Mia' }])
    await importRows([{ name: 'Tim', age: 7 }])
    const again = await confirm(state)
    expect(again).toMatchObject({ state: 'checked', changedRows: 1 })
    // The reply may have been lost: what was not seen is not confirmed.
    expect(await confirm(state)).toMatchObject({ state: 'checked' })
    const [first] = await server.client.importDifference({ datasetId, importKey: state.key })
    expect(first).toEqual({ replaces: 4, values: { age: { before: 7, after: 6 } } })
    // It has given up its turn.
    await add({ name: 'Bob' })
    expect(await confirm(again)).toMatchObject({ state: 'done' })
    expect(await cats()).toMatchObject([
      tom,
      { name: 'Kim' },
      { name: 'Bob' },
      { age: 6 },
      { name: 'Mia' },
    ])
  })

  test('fails where others have replaced what it finds by its id', async () => {
    const state = await importRows('id,age\n2,6\n', { match: ['id'], confirm: true })
    await importRows([{ name: 'Tim', age: 7 }])
    const { state: end, error } = await confirm(state)
    expect([end, error?.code]).toEqual(['failed', 'IMPORT_REFUSED'])
    expect(error?.details?.problems?.[0]?.reason).toBe('item 2 was replaced by item 4')
    await add({ name: 'Bob' })
    expect(await count()).toBe(5)
  })

  test('of rows that match nothing waits as well', async () => {
    const plain = { match: undefined, reason: undefined, confirm: true }
    const state = await importRows([{ name: 'Mia' }], plain)
    expect(state.state).toBe('checked')
    await add({ name: 'Bob' })
    expect(await confirm(state)).toMatchObject({ state: 'done', items: { from: 4, to: 5 } })
  })

  test('has no difference once it is published', async () => {
    const state = await importRows([{ name: 'Mia' }])
    const difference = server.client.importDifference({ datasetId, importKey: state.key })
    expect(await refusal(difference)).toMatchObject({ code: 'IMPORT_NOT_CHECKED' })
  })
})

test('imports of the same rows at once add and change each item once', async () => {
  const rows = [{ name: 'Tim', age: 6 }, { name: 'Mia' }]
  const keys = ['a', 'b', 'c', 'd']
  const states = await Promise.all(keys.map((key) => importRows(rows, { key })))
  expect(states.map(({ publishedRows }) => publishedRows).toSorted((a, b) => a - b)).toEqual([
    0, 0, 0, 2,
  ])
  expect(await count()).toBe(5)
})
