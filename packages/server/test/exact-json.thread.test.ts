import { addItem } from '@vitrine/client'
import type { ImportFormat } from '@vitrine/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'
import { wholeImport } from './whole-import.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  const { client } = server
  await client.repoCreate({ body: { name: 'facts', schema: [{ name: 'j', type: 'json' }] } })
  await client.repoCreate({ body: { name: 'texts', schema: [{ name: 't', type: 'string' }] } })
  await client.viewCreate({
    body: { name: 'cast', base: 'texts', fields: [{ name: 'j', from: 't', as: 'json' }] },
  })
})
afterAll(() => server.close())

const large = 'has the number 1546130668394913822 at user.id, which no 64-bit'
const twice = 'the same key twice'
const faults: [what: string, json: string, reason: string][] = [
  ['a number that no double keeps', '{"user":{"id":1546130668394913822}}', large],
  ['a number beyond all doubles', '[1e999]', 'has the number 1e999 at 0, which no 64-bit'],
  ['a number that would be 0', '1e-999', 'has the number 1e-999, which no 64-bit'],
  ['the same key twice', '{"a":1,"a":2}', twice],
  ['the same key twice, further within', '[{"b":{"a":1,"a":1}}]', twice],
]

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
const files: [what: string, format: ImportFormat, write: (json: string) => string][] = [
  ['NDJSON', 'ndjson', (json) => `{"j":${json}}\n`],
  ['an array of JSON', 'json', (json) => `[{"j": ${json} }]`],
  ['CSV', 'csv', (json) => `j\n${cell(json)}\n`],
  ['TSV', 'tsv', (json) => `j\n${cell(json)}\n`],
]

describe.each(faults)('%s', (_what, json, reason) => {
  test.each(files)('is refused in %s, with its place', async (_file, format, write) => {
    const file = { datasetId: 'facts', format, body: write(json) }
    const reply = await wholeImport(server.client, { ...file, mode: 'skip' })
    expect(reply).toMatchObject({ state: 'done', publishedRows: 0 })
    const report = await server.request(`/api/repo/facts/import/${reply.key}/report?format=ndjson`)
    expect(await report.text()).toContain(reason)
  })

  test('is refused as a single value', async () => {
    const adding = addItem(server.client, 'facts', { j: new Blob([json]) })
    await expect(adding).rejects.toMatchObject({
      problems: [expect.stringContaining(reason)],
    })
  })

  test('is missing in a cast', async () => {
    const id = await addItem(server.client, 'texts', { t: json })
    const item = await server.client.datasetItemGet({ datasetId: 'cast', itemId: id })
    expect(item.data).toEqual({})
    const { totalItems } = await server.client.datasetCount({
      datasetId: 'cast',
      where: { j: { empty: false }, id: { eq: id } },
    })
    expect(totalItems).toBe(0)
  })
})

test('a row of JSON beside texts that look like such numbers keeps them all', async () => {
  const row = {
    a: '1546130668394913822',
    'k 12345678901234567890': [1546130668394913800, 0.1, '1e999'],
  }
  const body = `{"j":${JSON.stringify(row)}}\n`
  const { items } = await wholeImport(server.client, { datasetId: 'facts', format: 'ndjson', body })
  const item = await server.client.datasetItemGet({ datasetId: 'facts', itemId: items!.firstId })
  expect(item.data['j']).toEqual(row)
})
