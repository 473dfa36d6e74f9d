import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  const code = { name: 'code', type: 'string', length: 20 } as const
  const country = { name: 'country', type: 'reference', target: 'countries' } as const
  await server.client.repoCreate({ body: { name: 'countries', schema: [code] } })
  await server.client.repoCreate({ body: { name: 'cities', schema: [country] } })
  const codes = Array.from({ length: 20_000 }, (_, index) => `C${index}\n`)
  const body = `code\n${codes.join('')}`
  await server.client.importBegin({ datasetId: 'countries', format: 'csv', body })
})

afterAll(() => server.close())

test('blocks that are checked side by side wait for what one of them looks up', async () => {
  const rows = Array.from({ length: 40_000 }, () => 'C19999\n')
  const body = `country.lookup.code\n${rows.join('')}`
  const state = await server.client.importBegin({ datasetId: 'cities', format: 'csv', body })
  expect(state).toMatchObject({ state: 'done', publishedRows: 40_000 })
})
