import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addItem } from '@vitrine/client'
import { parquetMetadata } from 'hyparquet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal } from './photos.ts'
import { expectRoundTrip } from './round-trip.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.close())

const readFixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../rows/test/files', name))

test('Parquet of Arrow is read whatever it counts, and has durations again', async () => {
  const names = ['second', 'milli', 'micro', 'nano']
  const schema = names.map((name) => ({ name, type: 'duration', optional: true }))
  await server.client.repoCreate({ body: { name: 'units', schema } })
  const body = readFixture('pyarrow-durations.parquet')
  const importIt = (columns: Record<string, string | null>) =>
    server.client.importBegin({ datasetId: 'units', format: 'parquet', columns, body })
  const refused = (await refusal(importIt({}))) as { problems: string[] }
  expect(refused.problems[0]).toMatch(/^row 1, nano: must be a duration of at most/)
  await importIt({ nano: null })
  const items = await server.client.datasetItemList({ datasetId: 'units', order: ['milli'] })
  expect(items.map(({ data }) => data)).toEqual([
    { second: '-P1DT1H1M1S', milli: '-PT0.001S', micro: 'PT0S' },
    { second: 'P1DT1S', milli: 'PT1.5S', micro: 'PT0.000001S' },
    {},
  ])
  expect(await expectRoundTrip(server.client, 'units', 'parquet')).toBe(3)
  const exported = await server.request('/api/dataset/units/export?format=parquet')
  const { key_value_metadata: entries } = parquetMetadata(await exported.arrayBuffer())
  expect(entries?.map(({ key }) => key)).toEqual(['ARROW:schema'])
})

test('durations are summarized, filtered, ordered and cast by their length', async () => {
  const schema = [
    { name: 'took', type: 'duration', optional: true },
    { name: 'written', type: 'string', length: 40, optional: true },
  ]
  await server.client.repoCreate({ body: { name: 'walks', schema } })
  const rows = [
    { took: 'PT10M', written: '0:10:00' },
    { took: 'P1D', written: '1 day' },
    { took: 'PT9S', written: 'nine seconds' },
    { took: '-PT1S', written: '-PT1S' },
  ]
  for (const row of rows) await addItem(server.client, 'walks', row)
  const list = async (query: object) => {
    const items = await server.client.datasetItemList({ datasetId: 'walks', ...query })
    return items.map(({ data }) => data['took'])
  }
  expect(await list({ order: ['took'] })).toEqual(['-PT1S', 'PT9S', 'PT10M', 'P1D'])
  expect(await list({ where: { took: { gt: '0:00:09', lte: 'PT24H' } } })).toEqual(['PT10M', 'P1D'])
  expect(await refusal(list({ where: { took: { gt: 'P1M' } } }))).toMatchObject({
    problems: [expect.stringMatching(/must be a duration/)],
  })
  await server.client.viewCreate({
    body: {
      name: 'cast-walks',
      base: 'walks',
      fields: [
        { name: 'read', from: 'written', as: 'duration' },
        { name: 'text', from: 'took', as: 'string' },
      ],
    },
  })
  const cast = await server.client.datasetItemList({ datasetId: 'cast-walks' })
  expect(cast.map(({ data }) => data)).toEqual([
    { read: 'PT10M', text: 'PT10M' },
    { read: 'P1D', text: 'P1D' },
    { text: 'PT9S' },
    { read: '-PT1S', text: '-PT1S' },
  ])
  const { fields } = await server.client.datasetSummary({ datasetId: 'walks' })
  expect(fields[0]).toMatchObject({ least: '-PT1S', greatest: 'P1D', mean: 'PT6H2M32S' })
  expect(fields[0]!.histogram![0]).toEqual({ from: '-PT1H', to: 'PT0S', count: 1 })
})

test('CSV for spreadsheets guards what could be a formula', async () => {
  const exported = await server.request('/api/dataset/walks/export?format=csv&guard=true')
  const lines = (await exported.text()).split('\r\n')
  expect(lines[4]).toMatch(/,'-PT1S,'-PT1S$/)
  expect(lines[1]).toMatch(/,PT10M,0:10:00$/)
  expect(await expectRoundTrip(server.client, 'walks', 'csv')).toBe(4)
})
