// @module-tag engines

import { addItem, type Client } from '@vitrine/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
let client: Client

const views = {
  first: { base: 'words', limit: 4 },
  filtered: { base: 'words', where: { word: { contains: 'o' } } },
  sorted: { base: 'words', order: ['word'] },
  least: { base: 'words', order: ['word'], limit: 2 },
  'least-reversed': { base: 'least', order: ['-word'], limit: 1 },
  'least-filtered': { base: 'least', where: { word: { contains: 'n' } } },
  renamed: { base: 'sorted', fields: [{ name: 'label', from: 'word' }] },
  frozen: { base: 'words@2' },
}

beforeAll(async () => {
  server = await startTestServer()
  client = server.client
  const schema = [{ name: 'word', type: 'string' }]
  await client.repoCreate({ body: { name: 'words', schema } })
  const words = ['two', 'one', 'zero', 'an ox', 'bone', 'last', 'a cat']
  for (const [index, word] of words.entries()) {
    await addItem(client, 'words', { word })
    if (index !== 1) continue
    for (const [name, view] of Object.entries(views)) {
      await client.viewCreate({ body: { name, ...view } })
    }
  }
})

afterAll(() => server.close())

const diff = async (datasetId: string, from: number, to?: number) => {
  const { added, removed, changes } = await client.datasetDiff({ datasetId, from, to })
  return { added, removed, ids: changes.map(({ change, item }) => [change, item.id]) }
}

/** Items that a state has and another has not, from lists of both. */
async function compareLists(datasetId: string, from: number, to: number) {
  const before = (await client.datasetItemList({ datasetId, at: from })).map(({ id }) => id)
  const after = (await client.datasetItemList({ datasetId, at: to })).map(({ id }) => id)
  const added = after.filter((id) => !before.includes(id))
  const removed = before.filter((id) => !after.includes(id))
  const ids = [
    ...added.map((id) => ['added', id] as const),
    ...removed.map((id) => ['removed', id] as const),
  ].toSorted(([, a], [, b]) => a - b)
  return { added: added.length, removed: removed.length, ids }
}

test.each(['words', ...Object.keys(views)])(
  'of any two states of %s the items that they do not share',
  async (datasetId) => {
    for (let from = 0; from <= 7; from += 1) {
      for (let to = from; to <= 7; to += 1) {
        const expected = await compareLists(datasetId, from, to)
        expect(await diff(datasetId, from, to), `${from} to ${to}`).toEqual(expected)
      }
    }
  },
)

test('a limit of an order lets items go, with their values as the view shows them', async () => {
  const { changes } = await client.datasetDiff({ datasetId: 'least', from: 2, to: 4 })
  expect(changes).toEqual([
    { change: 'removed', item: { id: 1, data: { word: 'two' } } },
    { change: 'added', item: { id: 4, data: { word: 'an ox' } } },
  ])
  const renamed = await client.datasetDiff({ datasetId: 'renamed', from: 6 })
  expect(renamed.changes).toEqual([{ change: 'added', item: { id: 7, data: { label: 'a cat' } } }])
})

test('without `to` it is now, and both states are told', async () => {
  const { from, to } = await client.datasetDiff({ datasetId: 'filtered', from: 2 })
  expect(from).toEqual(await client.datasetState({ datasetId: 'words', at: 2 }))
  expect(to).toEqual(await client.datasetState({ datasetId: 'words' }))
})

test.each(['words', 'filtered', 'least'])('pages of the differences of %s', async (datasetId) => {
  const whole = await client.datasetDiff({ datasetId, from: 2, cut: 1 })
  for (const [page, change] of whole.changes.entries()) {
    const part = await client.datasetDiff({ datasetId, from: 2, page, pageSize: 1, cut: 1 })
    expect(part).toEqual({ ...whole, changes: [change] })
  }
  const beyond = await client.datasetDiff({ datasetId, from: 2, page: 9 })
  expect(beyond.changes).toEqual([])
  expect(beyond.added).toBe(whole.added)
})

test('a state that has not been, or that is later than the other', async () => {
  const input = { datasetId: 'words', from: 8 }
  await expect(client.datasetDiff(input)).rejects.toMatchObject({
    code: 'STATE_NOT_FOUND',
    body: { details: { totalItems: 7 } },
  })
  await expect(client.datasetDiff({ ...input, from: 1, to: 8 })).rejects.toMatchObject({
    code: 'STATE_NOT_FOUND',
  })
  await expect(client.datasetDiff({ ...input, from: 5, to: 3 })).rejects.toMatchObject({
    code: 'QUERY_INVALID',
    body: { details: { problems: [{ path: ['from'], reason: 'must be at most to' }] } },
  })
  await expect(client.datasetDiff({ datasetId: 'nothing', from: 1 })).rejects.toMatchObject({
    code: 'DATASET_NOT_FOUND',
  })
})

test('extensions of the schema between the states', async () => {
  await client.repoCreate({ body: { name: 'notes', schema: [{ name: 'text', type: 'string' }] } })
  const extend = (...names: string[]) =>
    client.repoExtend({
      datasetId: 'notes',
      body: {
        name: 'notes',
        schema: [
          { name: 'text', type: 'string' },
          ...names.map((name) => ({ name, type: 'string', optional: true })),
        ],
      },
    })
  const extensionsOf = async (from: number, to?: number) =>
    (await client.datasetDiff({ datasetId: 'notes', from, to })).extensions.length
  await addItem(client, 'notes', { text: 'one' })
  await extend('a')
  await addItem(client, 'notes', { text: 'two' })
  await addItem(client, 'notes', { text: 'three' })
  await extend('a', 'b')
  expect(await extensionsOf(0)).toBe(2)
  expect(await extensionsOf(1)).toBe(2)
  expect(await extensionsOf(2)).toBe(1)
  expect(await extensionsOf(0, 2)).toBe(1)
  expect(await extensionsOf(3)).toBe(1)
  const { extensions } = await client.datasetDiff({ datasetId: 'notes', from: 3 })
  expect(extensions).toMatchObject([
    { what: 'schema-extended', details: { changes: ['b: new string'] } },
  ])
})
