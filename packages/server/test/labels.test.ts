import { addItem } from '@vitrine/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
const people = 'people'

beforeAll(async () => {
  server = await startTestServer()
  const { client } = server
  const schema = [
    { name: 'key', type: 'string', optional: true },
    { name: 'name', type: 'string', optional: true },
    { name: 'age', type: 'integer', optional: true },
  ]
  await client.repoCreate({ body: { name: people, label: 'name', schema } })
  await addItem(client, people, { key: 'a-1', name: 'Ada' })
  await addItem(client, people, { key: 'b-2', name: ' \n' })
  await addItem(client, people, { age: 4 })
  await addItem(client, people, { name: '🦜'.repeat(201) })
  await addItem(client, people, { name: '🦜'.repeat(200) })
})

afterAll(() => server.close())

test('an item is labelled by the named field, or else by its first text', async () => {
  expect(await server.client.datasetLabelList({ datasetId: people, ids: [3, 1, 2] })).toEqual([
    { id: 3 },
    { id: 1, label: 'Ada' },
    { id: 2, label: 'b-2' },
  ])
})

test('a label of more than 200 code points is cut between two of them', async () => {
  expect(await server.client.datasetLabelList({ datasetId: people, ids: [4, 5] })).toEqual([
    { id: 4, label: `${'🦜'.repeat(199)}…` },
    { id: 5, label: '🦜'.repeat(200) },
  ])
})

test('items that are not there have no entry', async () => {
  const ids = [99, 1, Number.MAX_SAFE_INTEGER]
  expect(await server.client.datasetLabelList({ datasetId: people, ids })).toEqual([
    { id: 1, label: 'Ada' },
  ])
})

test('a view labels the items that it has, by the fields that it shows', async () => {
  const where = { id: { lt: 3 } }
  await server.client.viewCreate({
    body: { name: 'first-people', base: people, where, fields: ['key'] },
  })
  const datasetId = 'first-people'
  expect(await server.client.datasetLabelList({ datasetId, ids: [1, 2, 3] })).toEqual([
    { id: 1, label: 'a-1' },
    { id: 2, label: 'b-2' },
  ])
})

test('another label is answered as soon as the repository names one', async () => {
  const datasetId = 'tools'
  const schema = [
    { name: 'name', type: 'string' },
    { name: 'title', type: 'string' },
  ]
  await server.client.repoCreate({ body: { name: datasetId, schema } })
  await addItem(server.client, datasetId, { name: 'hammer-1', title: 'Hammer' })
  const labels = () => server.client.datasetLabelList({ datasetId, ids: [1] })
  expect(await labels()).toEqual([{ id: 1, label: 'hammer-1' }])
  await server.client.repoExtend({ datasetId, body: { name: datasetId, label: 'title', schema } })
  expect(await labels()).toEqual([{ id: 1, label: 'Hammer' }])
})

test.each(['', '1,,2', '0', 'a', '1,2.5', Array.from({ length: 101 }, () => 1).join()])(
  'ids of %j are refused',
  async (ids) => {
    const reply = await server.request(`/api/dataset/${people}/label?ids=${ids}`)
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ code: 'QUERY_INVALID' })
  },
)

test('a dataset that is not there has no labels', async () => {
  await expect(
    server.client.datasetLabelList({ datasetId: 'nobody', ids: [1] }),
  ).rejects.toMatchObject({ code: 'DATASET_NOT_FOUND' })
})
