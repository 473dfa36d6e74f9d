import { addItem } from '@vitrine/client'
import type { DatasetInfo, Item } from '@vitrine/contract'
import { startTestServer, type TestServer } from './server.ts'

type Fields = object[]

/** A server with two people, and short ways to describe and read datasets of it. */
export type PeopleServer = TestServer & {
  create: (name: string, schema: Fields, metadata?: object) => Promise<DatasetInfo>
  extend: (name: string, schema: Fields, metadata?: object) => Promise<DatasetInfo>
  view: (name: string, base: string, clauses?: object) => Promise<DatasetInfo>
  schemaOf: (datasetId: string) => Promise<DatasetInfo['schema']>
  items: (datasetId: string, asked?: object) => Promise<Item[]>
  dataOf: (datasetId: string, asked?: object) => Promise<Item['data'][]>
}

export async function startPeopleServer(): Promise<PeopleServer> {
  const server = await startTestServer({}, { restarts: true })
  const { client } = server
  const items: PeopleServer['items'] = (datasetId, asked = {}) =>
    client.datasetItemList({ datasetId, page: 0, pageSize: 1000, ...asked })
  const create: PeopleServer['create'] = (name, schema, metadata = {}) =>
    client.repoCreate({ body: { name, ...metadata, schema } })
  await create('people', [{ name: 'name', type: 'string', length: 20 }])
  for (const name of ['Ada', 'Grace']) await addItem(client, 'people', { name })
  return {
    ...server,
    create,
    extend: (name, schema, metadata = {}) =>
      client.repoExtend({ datasetId: name, body: { name, ...metadata, schema } }),
    view: (name, base, clauses = {}) => client.viewCreate({ body: { name, base, ...clauses } }),
    schemaOf: async (datasetId) => (await client.datasetGet({ datasetId })).schema,
    items,
    dataOf: async (datasetId, asked) => (await items(datasetId, asked)).map(({ data }) => data),
  }
}

export const title = { name: 'title', type: 'string', length: 20 } as const
export const size = { name: 'size', type: 'string', length: 5, choices: ['S', 'M'] }
export const image = { name: 'image', type: 'binary', mime: 'image/png' } as const
export const by = { name: 'by', type: 'reference', target: 'people', optional: true } as const
export const stars = { name: 'stars', type: 'integer', optional: true } as const
