// @module-tag engines

import { addItem } from '@vitrine/client'
import type { Condition } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  const { client } = server
  await client.repoCreate({
    body: {
      name: 'files',
      schema: [
        { name: 'file', type: 'string', length: 80, optional: true },
        { name: 'about', type: 'json', optional: true },
      ],
    },
  })
  const files = ['img10.png', 'img9.png', 'Crème brûlée 2', 'img09.png', 'Creme Caramel 10']
  for (const file of files) await addItem(client, 'files', { file })
  await addItem(client, 'files', { about: { title: 'Crème' } })
})

afterAll(() => server.close())

async function idsOf(datasetId: string, query: { where?: Condition; order?: string[] } = {}) {
  const items = await server.client.datasetItemList({ datasetId, page: 0, pageSize: 9, ...query })
  return items.map(({ id }) => id)
}

test('names with numbers are put in natural order', async () => {
  const body = { name: 'in-natural-order', base: 'files', order: ['-natural:file'] }
  await server.client.viewCreate({ body })
  expect(await idsOf('in-natural-order')).toEqual([1, 2, 4, 3, 5, 6])
  expect(await idsOf('files', { order: ['natural:file'] })).toEqual([5, 3, 4, 2, 1, 6])
  expect(await idsOf('files', { order: ['file'] })).toEqual([5, 3, 4, 1, 2, 6])
})

test('texts are found by words, whatever their accents', async () => {
  const found = (where: Condition) => idsOf('files', { where })
  expect(await found({ file: { search: 'BRULEE creme' } })).toEqual([3])
  const where = { file: { search: 'creme' } }
  expect(await idsOf('files', { where, order: ['-natural:file'] })).toEqual([3, 5])
  expect(await found({ about: { search: 'creme' } })).toEqual([6])
  expect(await found({ file: { search: '' } })).toEqual([1, 2, 3, 4, 5])
})
