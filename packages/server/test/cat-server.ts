import { type Client, createClient } from '@vitrine/client'
import { startTestServer, type TestServer } from './server.ts'

export const datasetId = 'cats'
export const reason = 'a typing error'
/** Values of a cat with a typing error. */
export const tim = {
  name: 'Tim',
  age: 4,
  picture: new Blob(['a picture'], { type: 'text/plain' }),
}

type Place = { datasetId?: string; at?: number }

/** A server with the repository `cats`, of which everybody is a contributor, and the view `toms` on it. */
export type CatServer = TestServer & {
  clientOf: (subject: string) => Promise<Client>
  withdraw: (itemId: number, client?: Client) => Promise<{ id: number }>
  /** Versions of an item, each with its kind of change. */
  versions: (itemId: number, place?: Place) => Promise<[id: number, change: string][]>
  replacements: (ids: number[], place?: Place) => ReturnType<Client['datasetReplacementList']>
}

export async function startCatServer(): Promise<CatServer> {
  const env = { VITRINE_EVERYONE: 'contributor', VITRINE_ADMINS: 'alice' }
  const server = await startTestServer(env, { restarts: true })
  const { client } = server
  const schema = [
    { name: 'name', type: 'string', length: 20 },
    { name: 'age', type: 'integer', optional: true },
    { name: 'picture', type: 'binary', mime: 'text/*', optional: true },
  ]
  await client.repoCreate({ body: { name: datasetId, schema } })
  const where = { name: { eq: 'Tom' } }
  await client.viewCreate({ body: { name: 'toms', base: datasetId, where } })
  return {
    ...server,
    clientOf: async (subject) => {
      const token = await server.issuer.token({ sub: subject })
      const other = createClient({ baseUrl: server.url, token: () => token, retries: 0 })
      // Whoever has begun to add something is known, and can be given a role.
      await other.insertBegin({ datasetId })
      return other
    },
    withdraw: (itemId, by = client) => by.itemWithdraw({ datasetId, itemId, body: { reason } }),
    versions: async (itemId, place = {}) => {
      const versions = await client.datasetVersionList({ datasetId, itemId, ...place })
      return versions.map(({ id, change }) => [id, change])
    },
    replacements: (ids, place = {}) => client.datasetReplacementList({ datasetId, ids, ...place }),
  }
}
