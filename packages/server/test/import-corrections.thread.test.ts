// @module-tag engines

import { hash } from 'node:crypto'
import { addItem, sha256, verifyItem } from '@vitrine/client'
import { readEntry } from '@vitrine/transparency-log'
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { ImportState } from '@vitrine/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { workbook } from './sample-workbook.ts'
import { startTestServer, type TestServer } from './server.ts'
import { fileOf, problemsOf, wholeImport } from './whole-import.ts'

let server: TestServer
let datasetId: string

beforeAll(async () => {
  server = await startTestServer({})
})

afterAll(() => server.close())

let number = 0
/** Every test has a repository of its own, with three cats, the second of them withdrawn by the fourth item. */
beforeEach(async () => {
  datasetId = `cats-${(number += 1)}`
  const schema = [
    { name: 'name', type: 'string', length: 20 },
    { name: 'age', type: 'integer', optional: true },
    { name: 'picture', type: 'binary', mime: 'text/*', optional: true },
  ]
  await server.client.repoCreate({ body: { name: datasetId, schema } })
  const picture = new Blob(['a picture'], { type: 'text/markdown' })
  await addItem(server.client, datasetId, { name: 'Tom', age: 4, picture })
  await addItem(server.client, datasetId, { name: 'Tim', age: 5 })
  await addItem(server.client, datasetId, { name: 'Kim' })
  await server.client.itemWithdraw({ datasetId, itemId: 2, body: { reason: 'added twice' } })
})

type Options = Partial<Parameters<TestServer['client']['importBegin']>[0]>

function importRows(rows: object[] | string, options: Options = {}): Promise<ImportState> {
  const matching = { match: ['id.replaces'], reason: 'the register' }
  return wholeImport(server.client, { datasetId, ...matching, ...fileOf(rows), ...options })
}

/** Names of the current items, by their ids. */
async function current() {
  const items = await server.client.datasetItemList({ datasetId, current: true, pageSize: 100 })
  return Object.fromEntries(items.map(({ id, data }) => [id, data['name']]))
}

const versions = async (itemId: number) =>
  (await server.client.datasetVersionList({ datasetId, itemId })).map(({ id, change, reason }) => [
    id,
    change,
    reason,
  ])

describe('rows that say what they correct', () => {
  test('replace and withdraw items, each for its own reason, between rows that are new', async () => {
    const state = await importRows([
      { name: 'Mia' },
      { 'id.replaces': 1, 'id.reason': 'a typing error', name: 'Thom' },
      { 'id.withdraws': 3, 'id.reason': 'is a dog' },
      { name: 'Max' },
    ])
    expect(state).toMatchObject({ state: 'done', rows: 4, changedRows: 2, unchangedRows: 0 })
    expect(await current()).toEqual({ 5: 'Mia', 6: 'Thom', 8: 'Max' })
    expect(await versions(1)).toEqual([
      [1, 'added', undefined],
      [6, 'corrected', 'a typing error'],
    ])
    expect(await versions(3)).toEqual([
      [3, 'added', undefined],
      [7, 'withdrawn', 'is a dog'],
    ])
    const { data } = await server.client.datasetItemGet({ datasetId, itemId: 6 })
    expect(data).toEqual({ name: 'Thom', age: 4, picture: hash('sha256', 'a picture') })
  })

  test('are in the log as corrections are that are made one by one', async () => {
    await importRows([{ 'id.replaces': 1, name: 'Thom' }, { 'id.withdraws': 3 }])
    for (const [itemId, expected] of [
      [5, { replaces: 1 }],
      [6, { withdraws: 3 }],
    ] as const) {
      const proof = await server.client.logProof({ datasetId, itemId })
      const [, extra = ''] = /^extra (.*)$/m.exec(await proof.text()) ?? []
      expect(readEntry(Buffer.from(extra, 'base64').toString())).toMatchObject(expected)
      const of = { repo: datasetId, itemId }
      const { checks } = await verifyItem(server.client, of, { known: undefined, sha256 })
      expect(checks.filter(({ passed }) => passed === false)).toEqual([])
    }
  })

  test('bring back what was withdrawn, with the values that it had', async () => {
    await importRows([{ 'id.replaces': 4, 'id.reason': 'was right' }])
    expect(await current()).toEqual({ 1: 'Tom', 3: 'Kim', 5: 'Tim' })
    expect(await versions(2)).toEqual([
      [2, 'added', undefined],
      [4, 'withdrawn', 'added twice'],
      [5, 'corrected', 'was right'],
    ])
  })

  test('have the reason of the import where they have none', async () => {
    await importRows('id.replaces,id.reason,name\n1,,Thom\n3,a typo,Kimi\n')
    expect(await versions(1)).toContainEqual([5, 'corrected', 'the register'])
    expect(await versions(3)).toContainEqual([6, 'corrected', 'a typo'])
  })

  test('are those of Parquet, of pandas too, which has ids as numbers with a point', async () => {
    const body = parquetWriteBuffer({
      columnData: [
        { name: 'id.replaces', data: [1, null, null], type: 'DOUBLE' },
        { name: 'id.withdraws', data: [null, 3, null], type: 'DOUBLE' },
        { name: 'id.reason', data: ['a typo', 'is a dog', null], type: 'STRING' },
        { name: 'name', data: ['Thom', 'Kim', 'Mia'], type: 'STRING' },
      ],
    })
    await importRows('', { format: 'parquet', body: new Blob([body]) })
    expect(await current()).toEqual({ 5: 'Thom', 7: 'Mia' })
    expect(await versions(3)).toContainEqual([6, 'withdrawn', 'is a dog'])
  })

  test('are those of a workbook', async () => {
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
    const names = ['id.replaces', 'id.withdraws', 'id.reason', 'name'].map(text).join('')
    const rows = [
      `<c><v>1</v></c><c/>${text('a typo')}${text('Thom')}`,
      `<c/><c><v>3</v></c>${text('is a dog')}${text('Kim')}`,
      `<c/><c/><c/>${text('Mia')}`,
    ]
    const sheet = [names, ...rows].map((cells) => `<row>${cells}</row>`).join('')
    await importRows('', { format: 'xlsx', body: new Blob([await workbook(sheet)]) })
    expect(await current()).toEqual({ 5: 'Thom', 7: 'Mia' })
    expect(await versions(3)).toContainEqual([6, 'withdrawn', 'is a dog'])
  })

  test('do nothing where they have the values of what they replace', async () => {
    const state = await importRows([{ 'id.replaces': 1, name: 'Tom' }])
    expect(state).toMatchObject({ changedRows: 0, unchangedRows: 1 })
    expect(await versions(1)).toHaveLength(1)
  })

  test('are shown before they are made, what they withdraw too', async () => {
    const rows = [{ name: 'Mia' }, { 'id.withdraws': 3 }, { 'id.replaces': 1, age: 5 }]
    const { key } = await importRows(rows, { confirm: true })
    const items = await server.client.importDifference({ datasetId, importKey: key })
    expect(items).toEqual([
      { replaces: null, values: { name: { after: 'Mia' } } },
      { replaces: 3, withdraws: true, values: {} },
      { replaces: 1, values: { age: { before: 4, after: 5 } } },
    ])
  })

  test.each([
    [{ 'id.replaces': 2, name: 'Tim' }, 'item 2 was withdrawn by item 4'],
    [{ 'id.withdraws': 3, name: 'Kimi' }, 'must be as it is in the item that is withdrawn'],
    [{ 'id.withdraws': 3, age: 7 }, 'must be as it is in the item that is withdrawn'],
    [{ 'id.withdraws': 1, picture: null }, 'must be as it is in the item that is withdrawn'],
    [{ 'id.replaces': 99, name: 'Nobody' }, 'there is no item 99'],
    [{ 'id.replaces': 'Tom', name: 'Tom' }, 'must be'],
    [{ 'id.replaces': 1, 'id.withdraws': 1, name: 'Tom' }, 'goes without id.replaces'],
    [{ name: 'Mia', 'id.reason': 'why not' }, 'goes with id.replaces or id.withdraws'],
    [{ 'id.replaces': 1, name: 'Thom', 'id.reason': 'x'.repeat(1001) }, 'must be 1 to'],
    [{ 'id.replaces': 1, name: 'Thom', 'id.reason': 'a\0b' }, 'NUL'],
  ])('are refused with %j', async (row, reason) => {
    const [problem, ...others] = await problemsOf(importRows([{ name: 'Mia' }, row]))
    expect(problem).toContain(reason)
    expect(others).toEqual([])
    expect(await current()).toEqual({ 1: 'Tom', 3: 'Kim' })
  })

  test('are refused where two correct the same item', async () => {
    const rows = [{ 'id.replaces': 1, name: 'Thom' }, { 'id.withdraws': 1 }]
    const problems = await problemsOf(importRows(rows))
    expect(problems).toEqual([expect.stringContaining('row 1 corrects the same item')])
  })

  test('are checked again where somebody corrected the item meanwhile', async () => {
    const state = await importRows([{ 'id.withdraws': 3 }], { confirm: true })
    await server.client.itemWithdraw({ datasetId, itemId: 3, body: { reason: 'I was first' } })
    const confirming = server.client.importConfirm({
      datasetId,
      importKey: state.key,
      outcome: state.outcome!,
      wait: 20,
    })
    expect(await confirming).toMatchObject({ state: 'failed', error: { code: 'IMPORT_REFUSED' } })
  })

  test('are columns of no other import', async () => {
    const problems = await problemsOf(
      importRows([{ 'id.replaces': 1, name: 'Tom' }], { match: ['name'] }),
    )
    expect(problems).toEqual([expect.stringContaining('id.replaces')])
    const missing = await problemsOf(importRows('name\nTom\n'))
    expect(missing).toEqual([expect.stringContaining('there is no column for "id.replaces"')])
  })
})
