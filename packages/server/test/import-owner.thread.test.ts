import { createClient, type Client } from '@vitrine/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
let alice: Client
let bob: Client

beforeAll(async () => {
  server = await startTestServer({}, { restarts: true })
  alice = server.client
  const token = await server.issuer.token({ sub: 'bob' })
  bob = createClient({ baseUrl: server.url, token: () => token, retries: 0 })
})

afterAll(() => server.close())

const notThere = { status: 404, code: 'IMPORT_NOT_FOUND' }

async function createRepo(name: string) {
  await alice.repoCreate({ body: { name, schema: [{ name: 'name', type: 'string', length: 20 }] } })
}

const begin = (client: Client, datasetId: string, options: { body: string; complete: boolean }) =>
  client.importBegin({ datasetId, format: 'ndjson', mode: 'skip', key: 'k', wait: 60, ...options })

describe('an import is its creator’s', () => {
  test('others cannot see, continue or cancel it while it is open, also after a restart', async () => {
    await createRepo('open')
    const named = { datasetId: 'open', importKey: 'k' }
    const first = '{"name":"Ada"}\n'
    await begin(alice, 'open', { body: first, complete: false })
    const refusedToBob = async () => {
      const more = { ...named, offset: first.length, body: '{"name":"Eve"}\n' }
      expect(await refusal(bob.importAppend(more))).toEqual(notThere)
      expect(await refusal(bob.importAppend({ ...more, complete: true }))).toEqual(notThere)
      expect(await refusal(bob.importGet(named))).toEqual(notThere)
      expect(await refusal(bob.importReport({ ...named, format: 'ndjson' }))).toEqual(notThere)
      expect(await refusal(bob.importCancel(named))).toEqual(notThere)
      expect(await bob.importList({ datasetId: 'open' })).toEqual([])
    }
    await refusedToBob()
    await server.restart()
    await refusedToBob()

    const body = '{"name":"Bea"}\n'
    const end = { ...named, offset: first.length, body, complete: true, wait: 60 }
    expect(await alice.importAppend(end)).toMatchObject({ state: 'done', publishedRows: 2 })
  })

  test('others cannot see it or its report once it has ended', async () => {
    await createRepo('ended')
    const named = { datasetId: 'ended', importKey: 'k' }
    const body = '{"name":"Ada"}\n{"name":3,"secret":1}\n'
    const state = await begin(alice, 'ended', { body, complete: true })
    expect(state).toMatchObject({ state: 'done', refusedRows: 1 })
    expect(await refusal(bob.importGet(named))).toEqual(notThere)
    expect(await refusal(bob.importReport({ ...named, format: 'csv' }))).toEqual(notThere)
    expect(await refusal(bob.importCancel(named))).toEqual(notThere)
    expect(await bob.importList({ datasetId: 'ended' })).toEqual([])
    expect(await alice.importList({ datasetId: 'ended' })).toEqual([state])
  })

  test('the same key of another person is a separate import, also at the same time', async () => {
    await createRepo('both')
    await begin(alice, 'both', { body: '{"name":"Ada"}\n', complete: false })
    const others = await begin(bob, 'both', { body: '{"name":"Bob"}\n', complete: true })
    expect(others).toMatchObject({ state: 'done', publishedRows: 1 })
    const own = { datasetId: 'both', importKey: 'k' }
    expect(await alice.importGet(own)).toMatchObject({ state: 'receiving' })
    await bob.importCancel(own).catch(() => {})
    expect(await alice.importGet(own)).toMatchObject({ state: 'receiving', receivedBytes: 15 })
    await alice.importCancel(own)
    expect(await bob.importList({ datasetId: 'both' })).toEqual([others])
    expect(await alice.datasetCount({ datasetId: 'both' })).toEqual({ totalItems: 1 })
  })
})
