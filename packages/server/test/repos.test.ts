import type { DatasetInfo } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.close())

test('a repository is created once; the same schema again changes nothing', async () => {
  const body = { name: 'people', schema: [{ name: 'name', type: 'string', length: 20 }] }
  const post = (description: object) =>
    server.request('/api/repo', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(description),
    })
  const first = await post(body)
  expect(first.status).toBe(201)
  const info = (await first.json()) as DatasetInfo
  expect(info).toMatchObject({
    name: 'people',
    schema: [{ name: 'name', type: 'string', length: 20 }],
    referencesTo: [],
    referencedBy: [],
  })
  const second = await post({ ...body, description: 'another text' })
  expect(second.status).toBe(200)
  expect(await second.json()).toEqual(info)
  expect(await server.client.datasetGet({ datasetId: 'people' })).toEqual(info)
  expect(await server.client.repoList({})).toEqual([{ name: 'people', createdAt: info.createdAt }])
})

test('another schema under a taken name is refused with what is there', async () => {
  const existing = await server.client.repoCreate({
    body: { name: 'taken', schema: [{ name: 'a', type: 'string' }] },
  })
  const refused = server.client.repoCreate({
    body: { name: 'taken', schema: [{ name: 'b', type: 'string' }] },
  })
  await expect(refused).rejects.toMatchObject({
    status: 409,
    code: 'REPO_NAME_TAKEN',
    message: 'a repository with the same name exists with a different schema',
    body: { ...existing, code: 'REPO_NAME_TAKEN' },
  })
  expect(await server.client.datasetGet({ datasetId: 'taken' })).toEqual(existing)
})
