// @module-tag engines

import { addItem, createClient, type Client } from '@vitrine/client'
import type { NewGrant } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from './body-of.ts'
import { startTestServer, type TestServer } from './server.ts'
import { wholeSearch } from './whole-search.ts'

/** Ways around a dataset that is for those alone who were given a role: what it holds, and that it is there. */

let server: TestServer
/** Owns all, and is no administrator. */
let alice: Client
/** Contributor of all but `authors`, and of the view `prolific` on it. */
let bob: Client
let bobToken: string

const text = (name: string) => ({ name, type: 'string', length: 40 })
const author = { name: 'author', type: 'reference', target: 'authors' }

beforeAll(async () => {
  const env = { VITRINE_EVERYONE: 'contributor', VITRINE_ADMINS: 'root' }
  server = await startTestServer(env, { restarts: true })
  alice = server.client
  bobToken = await server.issuer.token({ sub: 'bob', name: 'Bob' })
  bob = createClient({ baseUrl: server.url, token: () => bobToken })
  const portrait = { name: 'portrait', type: 'binary', mime: 'text/plain', optional: true }
  await alice.repoCreate({ body: { name: 'authors', schema: [text('alias'), portrait] } })
  await addItem(alice, 'authors', {
    alias: 'Zyx Zebedee',
    portrait: new Blob(['a face'], { type: 'text/plain' }),
  })
  await alice.repoCreate({ body: { name: 'photos', schema: [text('title'), author] } })
  for (const title of ['one', 'two']) await addItem(alice, 'photos', { title, author: '1' })
  await alice.viewCreate({ body: { name: 'prolific', base: 'authors' } })
  await alice.viewCreate({
    body: {
      name: 'signed',
      base: 'photos',
      fields: ['title', { name: 'by', from: 'author.alias' }],
    },
  })
  await alice.viewCreate({ body: { name: 'titles', base: 'photos', fields: ['title'] } })
  for (const datasetId of ['authors', 'prolific']) {
    await give(datasetId, { everyone: true, role: 'none' })
  }
  await give('photos', { everyone: true, role: 'contributor' })
})

afterAll(() => server.close())

const give = (datasetId: string, body: NewGrant) => alice.grantSet({ datasetId, body })

/** Returns a refusal with the names of datasets made alike. */
const refusalOf = (call: Promise<unknown>, name = 'authors') =>
  call.then(
    () => 'done',
    ({ status, code, problems }: { status: number; code: string; problems: string[] }) => ({
      status,
      code,
      problems: problems.map((problem) => problem.replaceAll(name, 'NAME')),
    }),
  )
const get = async (path: string, token: string) => {
  const response = await server.request(`/api${path}`, { token })
  return { status: response.status, text: await response.text() }
}

test('it is in no list and no search of those who may not read it', async () => {
  const names = ['titles', 'signed', 'photos']
  expect((await bob.datasetList({})).map(({ name }) => name)).toEqual(names)
  expect((await bob.repoList({})).map(({ name }) => name)).toEqual(['photos'])
  expect((await bob.viewList({})).map(({ name }) => name)).toEqual(['titles', 'signed'])
  expect((await bob.datasetSearch({})).map(({ name }) => name)).toEqual(names)
  for (const q of ['authors', 'alias', 'prolific']) {
    expect((await alice.datasetSearch({ q })).length).toBeGreaterThan(0)
    expect(await bob.datasetSearch({ q })).toEqual([])
  }
  expect(await wholeSearch(alice, 'Zyx')).toMatchObject([{ dataset: 'authors' }])
  expect(await wholeSearch(bob, 'Zyx')).toEqual([])
  expect(await wholeSearch(alice, 'one')).toMatchObject([{ about: ['Zyx Zebedee'] }])
  expect(await wholeSearch(bob, 'one')).toMatchObject([{ about: [] }])
})

test('its page, its states and its labels are not there, whatever the spelling', async () => {
  for (const path of ['', '/item', '/item/1', '/label?ids=1', '/state', '/role', '/grant']) {
    const there = await get(`/dataset/authors${path}`, bobToken)
    expect(there).toEqual(await get(`/dataset/nothing${path}`, bobToken))
    expect(there.status).toBe(404)
    expect(await get(`/dataset/%61uthors${path}`, bobToken)).toEqual(there)
  }
  for (const path of ['@1/snapshot', '@1/snapshot.parquet', '@1/snapshot/0.parquet', '/snapshot']) {
    const there = await get(`/dataset/authors${path}`, bobToken)
    expect(there).toEqual(await get(`/dataset/nothing${path}`, bobToken))
    expect(there.status).toBe(404)
    expect((await get(`/dataset/photos${path}`, bobToken)).status).not.toBe(404)
  }
})

test('those beside it name it only to those who may read it', async () => {
  expect((await alice.datasetGet({ datasetId: 'photos' })).referencesTo).toEqual(['authors'])
  expect(await bob.datasetGet({ datasetId: 'photos' })).toMatchObject({
    referencesTo: [],
    referencedBy: ['signed', 'titles'],
  })
  expect((await bob.datasetGet({ datasetId: 'signed' })).referencesTo).toEqual(['photos'])
})

test('no path leads into it, also where another person has just gone there', async () => {
  const where = { 'author.alias': { contains: 'Zyx' } }
  const order = ['author.alias']
  const options = { datasetId: 'photos' }
  const problems = ['where.author.alias: there is no dataset "authors"']
  // A page that is full stays as it is, and is cached.
  for (const pageSize of [10, 1, 1]) {
    const page = { ...options, where, pageSize }
    expect((await alice.datasetItemList(page)).length).toBe(Math.min(pageSize, 2))
    await expect(bob.datasetItemList(page)).rejects.toMatchObject({ problems })
  }
  const calls = [
    (client: Client) => client.datasetCount({ ...options, where }),
    (client: Client) => client.datasetSummary({ ...options, where }),
    ...[{ where }, { order }].flatMap((asked) => [
      (client: Client) => client.datasetItemList({ ...options, ...asked }),
      (client: Client) => client.datasetItemNeighbours({ ...options, ...asked, itemId: 1 }),
      (client: Client) => client.datasetExport({ ...options, ...asked, format: 'ndjson' }),
    ]),
  ]
  for (const call of calls) {
    expect(await refusalOf(call(alice))).toBe('done')
    expect(await refusalOf(call(bob))).toMatchObject({ code: 'QUERY_INVALID' })
  }
})

test('a search for words looks in no label of it', async () => {
  const found = (client: Client, q: string) =>
    client.datasetItemList({ datasetId: 'photos', q, pageSize: 1 }).then((items) => items.length)
  for (const times of [1, 2]) {
    expect([await found(alice, 'zyx'), await found(bob, 'zyx')], `${times}`).toEqual([1, 0])
    expect([await found(bob, 'one'), await found(alice, 'one')], `${times}`).toEqual([1, 1])
  }
})

test('no description may lead into it: it is unknown, and no suggestion names it', async () => {
  const describes = [
    (name: string) => bob.viewPreview({ body: { name: 'mine', base: name } }),
    (name: string) => bob.viewCreate({ body: { name: 'mine', base: name } }),
    (name: string) =>
      bob.repoCreate({ body: { name: 'mine', schema: [{ ...author, target: name }] } }),
  ]
  for (const describe of describes) {
    const absent = await refusalOf(describe('nothing'), 'nothing')
    expect(absent).toMatchObject({ code: 'REQUEST_INVALID' })
    for (const name of ['authors', 'author']) {
      expect(await refusalOf(describe(name), name)).toEqual(absent)
    }
  }
  const path = { name: 'mine', base: 'photos', fields: [{ name: 'by', from: 'author.alias' }] }
  await expect(bob.viewPreview({ body: path })).rejects.toMatchObject({
    problems: [expect.stringContaining('there is no dataset "authors"')],
  })
  // A reference that is only shown, and leads nowhere, is what everybody who reads `photos` has.
  await bob.viewCreate({ body: { name: 'kept', base: 'photos' } })
  await bob.viewDelete({ datasetId: 'kept' })
})

test('of a name that is taken nothing else is told', async () => {
  const taken = (name: string) =>
    server.request('/api/repo', {
      method: 'POST',
      token: bobToken,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, schema: [text('other')] }),
    })
  expect(await bodyOf(await taken('photos'))).toMatchObject({ name: 'photos' })
  expect(await bodyOf(await taken('authors'))).toEqual({
    code: 'REPO_NAME_TAKEN',
    message: 'a repository with the same name exists with a different schema',
    details: {
      problems: [{ path: ['name'], reason: '"authors" is the name of another dataset' }],
    },
  })
  // The very description is refused alike: to guess it tells nothing.
  const view = { name: 'prolific', base: 'photos' }
  await expect(bob.viewCreate({ body: view })).rejects.toMatchObject({
    problems: ['name: "prolific" is the name of another dataset'],
  })
})
