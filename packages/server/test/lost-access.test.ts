// @module-tag engines

import { addItem, createClient, type Client } from '@vitrine/client'
import type { NewGrant } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { form } from './form.ts'
import { png } from './png.ts'
import { startTestServer, type TestServer } from './server.ts'

/** Work that somebody began, and replies that they have, from before a dataset was no longer for them. */

let server: TestServer
let alice: Client
let bob: Client
let bobToken: string

const schema = [
  { name: 'word', type: 'string', length: 20 },
  { name: 'picture', type: 'binary', mime: 'image/png', optional: true },
]

beforeAll(async () => {
  server = await startTestServer({ VITRINE_EVERYONE: 'curator', VITRINE_ADMINS: 'root' })
  alice = server.client
  bobToken = await server.issuer.token({ sub: 'bob', name: 'Bob' })
  bob = createClient({ baseUrl: server.url, token: () => bobToken })
  await bob.whoAmI({})
})

afterAll(() => server.close())

const give = (datasetId: string, body: NewGrant) => alice.grantSet({ datasetId, body })
const hide = (datasetId: string) => give(datasetId, { everyone: true, role: 'none' })

async function create(name: string): Promise<void> {
  await alice.repoCreate({ body: { name, schema } })
  const picture = new Blob([png], { type: 'image/png' })
  await addItem(alice, name, { word: 'one', picture })
}

const statusOf = async (path: string, token: string, headers: Record<string, string> = {}) => {
  const response = await server.request(`/api${path}`, { token, headers })
  await response.body?.cancel()
  return response.status
}

test('a page, a value and a picture that were sent before are not confirmed', async () => {
  await create('pages')
  const paths = [
    '/item',
    '/item/1',
    '/item/1/word',
    '/item/1/picture',
    '/item/1/picture/small?width=96',
  ]
  const { token } = await bob.tokenCreate({
    body: { name: 'ci', scope: 'read', expiresAt: null },
  })
  const tags = new Map<string, string>()
  for (const path of paths) {
    const response = await server.request(`/api/dataset/pages${path}`, { token: bobToken })
    expect(response.status).toBe(200)
    await response.body?.cancel()
    tags.set(path, response.headers.get('etag') ?? '*')
  }
  await hide('pages')
  for (const path of paths) {
    const known = { 'if-none-match': tags.get(path)! }
    for (const each of [bobToken, token]) {
      expect(await statusOf(`/dataset/pages${path}`, each, known), path).toBe(404)
    }
  }
  await give('pages', { person: 'bob', role: 'reader' })
  for (const path of paths) {
    expect(await statusOf(`/dataset/pages${path}`, bobToken), path).toBe(200)
  }
})

test('an insert and an import that were begun end as ones into what is not there', async () => {
  await create('begun')
  const { id: itemId } = await bob.insertBegin({ datasetId: 'begun' })
  const begun = { datasetId: 'begun', format: 'ndjson', complete: false } as const
  const { key } = await bob.importBegin({ ...begun, body: new Blob(['{"word":"two"}\n']) })
  await hide('begun')
  await expect(
    bob.insertUpload({ datasetId: 'begun', itemId, body: form({ word: 'two' }) }),
  ).rejects.toMatchObject({ code: 'REPO_OR_ITEM_NOT_FOUND' })
  const imported = { datasetId: 'begun', importKey: key }
  await expect(bob.importGet(imported)).rejects.toMatchObject({ code: 'IMPORT_NOT_FOUND' })
  await expect(bob.importList({ datasetId: 'begun' })).rejects.toMatchObject({
    code: 'REPO_NOT_FOUND',
  })
  await give('begun', { person: 'bob', role: 'curator' })
  // Nothing of it was looked at yet.
  expect((await bob.importGet(imported)).state).toBe('receiving')
  expect(await alice.datasetCount({ datasetId: 'begun' })).toEqual({ totalItems: 1 })
})

test('a name that goes to another dataset takes no role along, and shows nothing of the one before', async () => {
  await create('reused')
  await hide('reused')
  await give('reused', { person: 'bob', role: 'owner' })
  await alice.repoDelete({ datasetId: 'reused' })
  expect(await bob.deletedList({ name: 'reused' })).toHaveLength(1)
  await alice.repoCreate({ body: { name: 'reused', schema } })
  expect((await bob.datasetRole({ datasetId: 'reused' })).role).toBe('curator')
  expect(await bob.datasetItemList({ datasetId: 'reused' })).toEqual([])

  await create('secret')
  await hide('secret')
  await alice.repoDelete({ datasetId: 'secret' })
  expect(await bob.deletedList({ name: 'secret' })).toEqual([])
  const [{ id } = { id: 0 }] = await alice.deletedList({ name: 'secret' })
  await expect(bob.deletedRestore({ deletedId: id, body: {} })).rejects.toMatchObject({
    code: 'DELETED_NOT_FOUND',
  })
  await alice.deletedRestore({ deletedId: id, body: { name: 'secret-again' } })
  expect(await statusOf('/dataset/secret-again', bobToken)).toBe(404)
})

test('a view that was made before goes on, and its maker reads no more than it shows', async () => {
  await create('base')
  await bob.viewCreate({ body: { name: 'words', base: 'base', fields: ['word'] } })
  await hide('base')
  await addItem(alice, 'base', { word: 'two' })
  expect(await bob.datasetItemList({ datasetId: 'words' })).toMatchObject([
    { data: { word: 'one' } },
    { data: { word: 'two' } },
  ])
  await expect(bob.viewCreate({ body: { name: 'more', base: 'base' } })).rejects.toMatchObject({
    problems: ['base: unknown dataset "base"'],
  })
  expect(
    (await bob.viewCreate({ body: { name: 'on-words', base: 'words' } })).schema,
  ).toMatchObject([{ name: 'word' }])
  expect(await statusOf('/dataset/words/item/1/picture', bobToken)).toBe(404)
})
