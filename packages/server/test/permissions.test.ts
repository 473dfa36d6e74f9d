// @module-tag engines

import { addItem, createClient, deleteDataset, type Client } from '@vitrine/client'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { checkingCalls } from '../src/http/route.ts'
import { startTestServer, type TestServer } from './server.ts'

/** Permissions that a caller had before, and that are checked while a dataset is read. */

const schema = [{ name: 'word', type: 'string', length: 10 }]

let server: TestServer
let alice: Client
let bob: Client
let bobToken: string
let datasets = 0
/** Name of the dataset of a test, which bob may read. */
let datasetId: string

beforeAll(async () => {
  server = await startTestServer({ VITRINE_EVERYONE: 'none', VITRINE_ADMINS: 'alice' })
  alice = server.client
  bobToken = await server.issuer.token({ sub: 'bob' })
  bob = createClient({ baseUrl: server.url, token: () => bobToken })
  await bob.whoAmI({})
})

afterAll(() => server.close())

const give = (role: 'reader' | 'curator') =>
  vi.waitFor(() => alice.grantSet({ datasetId, body: { person: 'bob', role } }))

async function takeBack(): Promise<void> {
  const { grants } = await alice.grantList({ datasetId })
  await alice.grantRevoke({ datasetId, grantId: grants[0]!.id })
}

const paths: Record<string, string[]> = {
  datasetItemGet: ['item/1', 'item/1?at=1'],
  // A page that is not full may be another one the next time, and so it is read from the store each time.
  datasetItemList: ['item?pageSize=2', 'item?pageSize=2&at=1'],
}
const allPaths = Object.values(paths).flat()
const firstOfAll = allPaths.map(() => 'first')

let requests = 0

/** A name in another spelling each time, as replies that never change are cached by their address. */
function spell(name: string): string {
  requests += 1
  return name.replaceAll(/./g, (letter, at: number) =>
    (requests >> at) & 1 ? `%${letter.charCodeAt(0).toString(16)}` : letter,
  )
}

/** Returns what bob is answered by each call. */
const readAll = (name = datasetId) =>
  Promise.all(
    allPaths.map(async (path) => {
      const reply = await server.request(`/api/dataset/${spell(name)}/${path}`, { token: bobToken })
      return { status: reply.status, body: (await reply.json()) as unknown }
    }),
  )

const wordsOf = (replies: unknown[]) =>
  replies.map((reply) => /"word":"(\w+)"/.exec(JSON.stringify(reply))?.[1])

beforeEach(async () => {
  datasets += 1
  datasetId = `words-${datasets}`
  await alice.repoCreate({ body: { name: datasetId, schema } })
  await addItem(alice, datasetId, { word: 'first' })
  await give('reader')
  for (let time = 0; time < 3; time += 1) {
    expect(wordsOf(await readAll())).toEqual(firstOfAll)
  }
})

test('all such calls are tried here', () => {
  expect(Object.keys(paths)).toEqual([...checkingCalls])
})

test('a role that is taken back is gone at the next call', async () => {
  await takeBack()
  expect(await readAll()).toEqual(await readAll('no-such'))

  await give('curator')
  expect(wordsOf(await readAll())).toEqual(firstOfAll)
})

test('a dataset that is deleted is not there, and another of its name is another', async () => {
  await deleteDataset(alice, await alice.datasetGet({ datasetId }))
  expect(await readAll()).toEqual(await readAll('no-such'))
  await alice.repoCreate({ body: { name: datasetId, schema } })
  await addItem(alice, datasetId, { word: 'secret' })
  expect(await readAll()).toEqual(await readAll('no-such'))
})

test('a dataset that is taken back has the roles that it had when it was deleted', async () => {
  await takeBack()
  await deleteDataset(alice, await alice.datasetGet({ datasetId }))
  const [deleted] = await alice.deletedList({ name: datasetId })
  await alice.deletedRestore({ deletedId: deleted!.id, body: {} })
  expect(await readAll()).toEqual(await readAll('no-such'))
})

test('an extended repository is read with its new field', async () => {
  const extended = [...schema, { name: 'note', type: 'string', length: 10, optional: true }]
  await alice.repoExtend({ datasetId, body: { name: datasetId, schema: extended } })
  await addItem(alice, datasetId, { word: 'second', note: 'noted' })
  const items = await bob.datasetItemList({ datasetId })
  expect(items.map(({ data }) => data)).toEqual([
    { word: 'first' },
    { word: 'second', note: 'noted' },
  ])
  expect(wordsOf(await readAll())).toEqual(firstOfAll)
})
