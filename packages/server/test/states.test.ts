// @module-tag engines

import { addItem, type Client } from '@vitrine/client'
import type { Exploration } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
let client: Client

/** Items of datasets when their repository had three items. */
const three: Record<string, number[]> = {
  words: [1, 2, 3],
  first: [1, 2],
  filtered: [1, 2, 3],
  sorted: [2, 1, 3],
  least: [2, 1],
  'least-reversed': [1, 2],
  'least-filtered': [2],
}

beforeAll(async () => {
  server = await startTestServer()
  client = server.client
  const schema = [
    { name: 'word', type: 'string' },
    { name: 'after', type: 'reference', target: 'words', optional: true },
  ]
  await client.repoCreate({ body: { name: 'words', schema } })
  const views = {
    first: { base: 'words', limit: 2 },
    filtered: { base: 'words', where: { word: { contains: 'o' } } },
    sorted: { base: 'words', order: ['word'] },
    least: { base: 'words', order: ['word'], limit: 2 },
    'least-reversed': { base: 'least', order: ['-word'] },
    'least-filtered': { base: 'least', where: { word: { contains: 'n' } } },
  }
  for (const [name, view] of Object.entries(views)) {
    await client.viewCreate({ body: { name, ...view } })
  }
  for (const word of ['two', 'one', 'zero']) await addItem(client, 'words', { word })
  for (const word of ['an ox', 'bone', 'last']) await addItem(client, 'words', { word, after: '1' })
})

afterAll(() => server.close())

const ids = async (datasetId: string, at?: number, asked: Exploration = {}) =>
  (await client.datasetItemList({ datasetId, at, ...asked })).map(({ id }) => id)

test.each(Object.entries(three))('%s as it was with three items', async (datasetId, expected) => {
  const now = await ids(datasetId)
  expect(await ids(datasetId, 3)).toEqual(expected)
  expect(await client.datasetCount({ datasetId, at: 3 })).toEqual({ totalItems: expected.length })
  expect(await client.datasetItemList({ datasetId, at: 3, page: 1, pageSize: 1 })).toMatchObject(
    expected.slice(1, 2).map((id) => ({ id })),
  )
  for (const [place, itemId] of expected.entries()) {
    expect(await client.datasetItemNeighbours({ datasetId, itemId, at: 3 })).toEqual({
      ...(place > 0 && { previous: expected[place - 1] }),
      ...(place < expected.length - 1 && { next: expected[place + 1] }),
    })
    expect(await client.datasetItemGet({ datasetId, itemId, at: 3 })).toMatchObject({ id: itemId })
  }
  for (const itemId of expected) {
    const { author } = await client.datasetItemAuthor({ datasetId, itemId, at: 3 })
    expect(author).toMatchObject({ subject: expect.any(String) })
  }
  for (const itemId of now.filter((id) => !expected.includes(id))) {
    const input = { datasetId, itemId, at: 3 }
    const absent = { code: 'DATASET_OR_ITEM_NOT_FOUND' }
    await expect(client.datasetItemGet(input)).rejects.toMatchObject(absent)
    await expect(client.datasetItemNeighbours(input)).rejects.toMatchObject(absent)
    await expect(client.datasetFieldGet({ ...input, fieldName: 'word' })).rejects.toMatchObject(
      absent,
    )
  }
  const labels = await client.datasetLabelList({ datasetId, ids: [1, 2, 3, 4, 5, 6], at: 3 })
  expect(labels.map(({ id }) => id)).toEqual(expected.toSorted((a, b) => a - b))
  const { items, exact } = await client.datasetSummary({ datasetId, at: 3 })
  expect({ items, exact }).toEqual({ items: expected.length, exact: true })
  const { points } = await client.datasetGrowth({ datasetId, at: 3 })
  if (points.length > 0) expect(points.at(-1)!.items).toBe(expected.length)
  expect(await ids(datasetId)).toEqual(now)
  expect(await ids(datasetId, 0)).toEqual([])
  expect(await client.datasetCount({ datasetId, at: 0 })).toEqual({ totalItems: 0 })
  expect(await ids(datasetId, 6)).toEqual(now)
})

test('a state is filtered, searched, put in order and summarized as a dataset is', async () => {
  const withO: Exploration = { where: { word: { contains: 'o' } } }
  expect(await ids('words', 4, withO)).toEqual([1, 2, 3, 4])
  expect(await ids('words', 2, withO)).toEqual([1, 2])
  expect(await ids('words', 4, { ...withO, order: ['-word'] })).toEqual([3, 1, 2, 4])
  expect(await ids('words', 3, { order: ['word'] })).toEqual([2, 1, 3])
  expect(await ids('words', 5, { q: 'one' })).toEqual([2, 5])
  expect(await ids('words', 4, { q: 'one' })).toEqual([2])
  expect(await ids('least', 3, withO)).toEqual([2, 1])
  expect(await ids('least', 5, { where: { 'after.word': { eq: 'two' } } })).toEqual([4, 5])
  expect(await client.datasetCount({ datasetId: 'words', at: 4, q: 'one' })).toEqual({
    totalItems: 1,
  })
  const summary = await client.datasetSummary({ datasetId: 'words', at: 4, q: 'ox' })
  expect(summary).toMatchObject({ items: 1, exact: true })
  expect(summary.fields[0]).toMatchObject({
    name: 'word',
    commonest: [{ value: 'an ox', count: 1 }],
  })
})

test('items that come leave states as they are', async () => {
  await client.repoCreate({ body: { name: 'growing', schema: [{ name: 'word', type: 'string' }] } })
  await client.viewCreate({ body: { name: 'top', base: 'growing', order: '-word', limit: 2 } })
  await addItem(client, 'growing', { word: 'b' })
  await addItem(client, 'growing', { word: 'a' })
  for (let at = 2; at < 8; at += 1) {
    expect(await ids('top', 2)).toEqual([1, 2])
    expect(await client.datasetSummary({ datasetId: 'top', at: 2 })).toMatchObject({ items: 2 })
    await addItem(client, 'growing', { word: `c${at}` })
  }
  expect(await ids('top')).toEqual([8, 7])
  expect(await ids('top', 3)).toEqual([3, 1])
})

test('a state has the size of its repository and the time at which it was reached', async () => {
  const { createdAt } = await client.datasetItemGet({ datasetId: 'words', itemId: 3 })
  const standing = { at: 3, repo: 'words', size: 6, createdAt }
  expect(await client.datasetState({ datasetId: 'least-reversed', at: 3 })).toEqual(standing)
  expect(await client.datasetState({ datasetId: 'words' })).toMatchObject({ at: 6, size: 6 })
  expect(await client.datasetState({ datasetId: 'words', at: 0 })).toEqual({
    at: 0,
    repo: 'words',
    size: 6,
  })
  const info = await client.datasetGet({ datasetId: 'least', at: 3 })
  expect(info).toEqual({ ...(await client.datasetGet({ datasetId: 'least' })), state: standing })
})

test('a state that has not been is refused, and so is what is no number', async () => {
  const notYet = { status: 404, code: 'STATE_NOT_FOUND', body: { details: { totalItems: 6 } } }
  const datasetId = 'least'
  const input = { datasetId, at: 7 }
  const item = { ...input, itemId: 1 }
  const calls = [
    () => client.datasetGet(input),
    () => client.datasetState(input),
    () => client.datasetItemList(input),
    () => client.datasetCount(input),
    () => client.datasetSummary(input),
    () => client.datasetGrowth(input),
    () => client.datasetLabelList({ ...input, ids: [1] }),
    () => client.datasetExport({ ...input, format: 'ndjson' }),
    () => client.datasetItemGet(item),
    () => client.datasetItemNeighbours(item),
    () => client.datasetFieldGet({ ...item, fieldName: 'word' }),
  ]
  for (const call of calls) await expect(call()).rejects.toMatchObject(notYet)
  await expect(client.datasetCount({ datasetId: 'none', at: 1 })).rejects.toMatchObject({
    code: 'DATASET_NOT_FOUND',
  })
  for (const at of ['-1', '1.5', 'now', '', '01', '9007199254740993']) {
    const reply = await server.request(`/api/dataset/words/count?at=${at}`)
    expect(await reply.json()).toMatchObject({ code: 'QUERY_INVALID' })
    expect(reply.status).toBe(400)
  }
})

test('a view on a state has what its base had, and keeps the base', async () => {
  const views = {
    'least-then': { base: 'least@3' },
    'sorted-then': { base: 'filtered@3', order: ['-word'] },
    'least-then-o': { base: 'least@3', where: { word: { contains: 'n' } } },
    'words-then': { base: 'words@3', fields: ['word'] },
    'none-then': { base: 'words@0' },
  }
  for (const [name, view] of Object.entries(views)) {
    const info = await client.viewCreate({ body: { name, ...view } })
    expect(info).toMatchObject({ view: { base: view.base } })
    expect(info.referencesTo).toContain(view.base.split('@')[0])
  }
  expect(await ids('least-then')).toEqual([2, 1])
  expect(await ids('sorted-then')).toEqual([3, 1, 2])
  expect(await ids('least-then-o')).toEqual([2])
  expect(await ids('words-then')).toEqual([1, 2, 3])
  expect(await ids('none-then')).toEqual([])
  expect(await ids('sorted-then', 2)).toEqual([1, 2])
  expect(await ids('least-then', 1)).toEqual([1])
  await expect(client.viewDelete({ datasetId: 'least' })).rejects.toMatchObject({
    code: 'DATASET_REFERENCED',
  })
  expect((await client.viewList({})).find(({ name }) => name === 'least-then')).toMatchObject({
    base: 'least',
  })
  const preview = await client.viewPreview({
    body: { name: 'seen', base: 'words@4', order: 'word' },
  })
  expect(preview).toMatchObject({ totalItems: 4, exact: true, total: 4 })
  expect(preview.items.map(({ id }) => id)).toEqual([4, 2, 1, 3])
})

test.each([
  ['words@7', '"words" has 6 items, and has not had 7'],
  ['least@7', '"words" has 6 items, and has not had 7'],
  ['word@3', 'unknown dataset "word@3"; did you mean "words@3"?'],
  ['words@x', 'must be 1 to 128 letters'],
  ['words@1@2', 'must be 1 to 128 letters'],
  ['itself@1', 'a view cannot be its own base'],
])('a view on %s is refused', async (base, reason) => {
  const body = { name: 'itself', base }
  for (const call of [client.viewCreate, client.viewPreview]) {
    await expect(call({ body })).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      body: {
        details: { problems: [{ path: ['base'], reason: expect.stringContaining(reason) }] },
      },
    })
  }
})
