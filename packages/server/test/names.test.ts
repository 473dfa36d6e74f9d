import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from './body-of.ts'
import { rawRequest } from './raw-request.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await server.client.repoCreate({
    body: { name: 'secret', schema: [{ name: 'title', type: 'string' }] },
  })
})

afterAll(() => server.close())

const names = [
  '../x',
  '..',
  '.',
  '__proto__',
  'constructor',
  'a"b',
  "a'; drop table datasets; --",
  '😀'.repeat(128),
  'a\0b',
  'a/b',
  ' ',
  'a'.repeat(129),
]

test.for(names)('%j names nothing', async (name) => {
  const path = `/api/dataset/${encodeURIComponent(name).replaceAll('.', '%2E')}`
  const token = await server.issuer.token()
  const headers = { authorization: `Bearer ${token}` }
  for (const [suffix, code] of [
    ['', 'DATASET_NOT_FOUND'],
    ['/count', 'DATASET_NOT_FOUND'],
    ['/item', 'DATASET_OR_ITEM_NOT_FOUND'],
    ['/item/1', 'DATASET_NOT_FOUND'],
  ]) {
    const reply = await rawRequest(server.url, { path: path + suffix, headers })
    expect(reply.status).toBe(404)
    expect(JSON.parse(reply.body)).toMatchObject({ code })
  }
})

test.for(names)('%j is no name for a dataset or a field', async (name) => {
  const asDataset = server.client.repoCreate({
    body: { name, schema: [{ name: 'a', type: 'string' }] },
  })
  if (name === 'constructor') await asDataset
  else await expect(asDataset).rejects.toMatchObject({ code: 'REQUEST_INVALID' })
  const asField = server.client.repoCreate({
    body: { name: 'other', schema: [{ name, type: 'string' }] },
  })
  if (name === 'constructor') await asField
  else await expect(asField).rejects.toMatchObject({ code: 'REQUEST_INVALID' })
})

test.for(['0', '-1', '1.0', '01', 'x', '9007199254740992', '1e3', '%20', '1%00'])(
  '%s is no item',
  async (id) => {
    const response = await server.request(`/api/dataset/secret/item/${id}`)
    expect(response.status).toBe(404)
    expect(await bodyOf(response)).toMatchObject({ code: 'DATASET_OR_ITEM_NOT_FOUND' })
  },
)
