// @module-tag engines

import { addItem, createClient, type Client } from '@vitrine/client'
import { errors } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { recordDamage } from '../src/store/damage.ts'
import { sha256 } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'

/** Ways to learn of the items of a dataset that one may not read, by what one may add to, export or delete. */

let server: TestServer
let alice: Client
/** Owner of `photos`, and nothing on `authors`, where what they add to `photos` refers to. */
let bob: Client

const text = (name: string) => ({ name, type: 'string', length: 80 })
const digest = sha256('a face')

beforeAll(async () => {
  server = await startTestServer({ VITRINE_EVERYONE: 'reader', VITRINE_ADMINS: 'alice, ada' })
  alice = server.client
  const token = await server.issuer.token({ sub: 'bob', name: 'Bob' })
  bob = createClient({ baseUrl: server.url, token: () => token })
  const file = (name: string) => ({ name, type: 'binary', mime: 'text/plain', optional: true })
  await alice.repoCreate({ body: { name: 'authors', schema: [text('alias'), file('portrait')] } })
  const portrait = new Blob(['a face'], { type: 'text/plain' })
  await addItem(alice, 'authors', { alias: 'Zyx', portrait })
  await addItem(alice, 'authors', { alias: 'Other', portrait: new Blob(['own'], portrait) })
  const author = { name: 'author', type: 'reference', target: 'authors', optional: true }
  await alice.repoCreate({
    body: { name: 'photos', schema: [text('title'), author, file('image')] },
  })
  await addItem(alice, 'photos', { title: 'one', author: '1' })
  await alice.viewCreate({ body: { name: 'few', base: 'authors', fields: ['alias'] } })
  await alice.viewCreate({
    body: {
      name: 'signed',
      base: 'photos',
      fields: ['title', { name: 'by', from: 'author.alias' }],
    },
  })
  const bobby = { person: 'bob', role: 'owner' } as const
  await bob.whoAmI({})
  // They are noted in the background.
  await vi.waitFor(async () => {
    expect(await alice.personList({ datasetId: 'photos', q: 'Bob' })).toHaveLength(1)
  })
  await alice.grantSet({ datasetId: 'photos', body: bobby })
  await alice.grantSet({ datasetId: 'authors', body: { everyone: true, role: 'none' } })
})

afterAll(() => server.close())

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => ['done'],
    ({ code, problems }: { code: string; problems: string[] }) => [code, ...problems],
  )

test('a reference to an item that is there is refused as one to nothing', async () => {
  const add = (client: Client, author: string) =>
    refusalOf(addItem(client, 'photos', { title: 'two', author }))
  expect(await add(alice, '1')).toEqual(['done'])
  expect(await add(bob, '1')).toEqual([
    'DATA_NOT_CONFORMING',
    'author: there is no item 1 in "authors"',
  ])
  expect(await add(bob, '7')).toEqual([
    'DATA_NOT_CONFORMING',
    'author: there is no item 7 in "authors"',
  ])
  expect(await refusalOf(addItem(bob, 'photos', { title: 'without' }))).toEqual(['done'])
  const values = { title: 'many', author: '1' }
  const integrity = { title: { sha256: sha256('many') }, author: { sha256: sha256('1') } }
  const { items } = await bob.itemAddMany({
    datasetId: 'photos',
    body: { items: [{ key: 'k', values, integrity }] },
  })
  expect(items).toMatchObject([{ error: { code: 'DATA_NOT_CONFORMING' } }])
})

test('an import looks up no item of it, by id, by value or by seal, and no file of it', async () => {
  const load = (client: Client, row: object) => {
    const body = new Blob([JSON.stringify({ title: 'loaded', ...row })])
    return refusalOf(client.importBegin({ datasetId: 'photos', format: 'ndjson', body }))
  }
  const seal = (
    await new Response(
      await alice.datasetExport({ datasetId: 'photos', format: 'ndjson', integrity: true, to: 1 }),
    ).json()
  )['author.seal'] as string
  expect(seal).toMatch(/^[0-9a-f]{64}$/)
  const rows = [
    [{ author: 1 }, { author: 2 }],
    [{ 'author.lookup.alias': 'Zyx' }, { 'author.lookup.alias': 'Nobody' }],
    [
      { author: 7, 'author.seal': seal },
      { author: 7, 'author.seal': sha256('none') },
    ],
    [{ image: digest }, { image: sha256('no file') }],
  ] as const
  for (const [there, absent] of rows) {
    const [code] = await load(bob, there)
    expect(code).toBe('IMPORT_REFUSED')
    expect(await reasonsOf(load, bob, there)).toEqual(await reasonsOf(load, bob, absent))
    expect(await load(alice, there)).toEqual(['done'])
  }
  // From then on `photos` has these bytes, and he reads them there.
  expect(await load(bob, { image: digest })).toEqual(['done'])
  expect(await load(bob, {})).toEqual(['done'])
})

test('an import of an administrator looks up all, also of one who is so by a name to sign in by', async () => {
  const token = await server.issuer.token({ sub: '4711', preferred_username: 'ada' })
  const ada = createClient({ baseUrl: server.url, token: () => token })
  const body = new Blob([JSON.stringify({ title: 'loaded', author: 1 })])
  const { rows } = await ada.importBegin({ datasetId: 'photos', format: 'ndjson', body })
  expect(rows).toBe(1)
})

/** Returns reasons without the values of the row itself. */
async function reasonsOf(
  load: (client: Client, row: object) => Promise<string[]>,
  client: Client,
  row: object,
): Promise<string[]> {
  const own = Object.values(row).map(String)
  return (await load(client, row)).map((reason) =>
    own.reduce(
      (masked, value) => masked.replace(` ${value} `, ' OWN ').replace(`"${value}"`, 'OWN'),
      reason,
    ),
  )
}

test('an export holds nothing of it', async () => {
  const exported = async (client: Client, options: object) =>
    new Response(
      await client.datasetExport({ datasetId: 'photos', format: 'ndjson', ...options }),
    ).text()
  const sealed = { integrity: true, to: 1 }
  expect(JSON.parse(await exported(alice, sealed))).toHaveProperty(['author.seal'])
  const row = JSON.parse(await exported(bob, sealed)) as object
  expect(row).toMatchObject({ title: 'one', author: 1 })
  expect(row).not.toHaveProperty(['author.seal'])
  const croissant = { format: 'croissant' }
  expect(await exported(alice, croissant)).toContain('alias')
  expect(await exported(bob, croissant)).not.toContain('alias')
  expect(await refusalOf(exported(alice, { format: 'bundle' }))).toEqual(['done'])
  expect(await refusalOf(exported(bob, { format: 'bundle' }))).toEqual([
    'FORBIDDEN',
    'it takes the role reader on "authors"; ask an administrator',
  ])
})

test('a view has grants of its own, and shows what its maker was to read', async () => {
  expect(await bob.datasetItemList({ datasetId: 'few', pageSize: 1 })).toMatchObject([
    { data: { alias: 'Zyx' } },
  ])
  expect(await bob.datasetItemList({ datasetId: 'signed', pageSize: 1 })).toMatchObject([
    { data: { title: 'one', by: 'Zyx' } },
  ])
  const where = { by: { contains: 'Zyx' } }
  expect((await bob.datasetCount({ datasetId: 'signed', where })).totalItems).toBeGreaterThan(0)
  expect(await refusalOf(bob.datasetExport({ datasetId: 'few', format: 'bundle' }))).toEqual([
    'FORBIDDEN',
    'it takes the role reader on "authors"; ask an administrator',
  ])
})

test('damage of it is told to those alone who may read it', async () => {
  await server.database.use(({ write }) =>
    write(async (transaction) => {
      for (const each of [digest, sha256('own')]) {
        await recordDamage(transaction, { sha256: each, what: 'it has 2 bytes' })
      }
    }),
  )
  expect(await alice.damageList({})).toHaveLength(2)
  // An import of alice holds the very bytes in a dataset that Bob may read.
  const [shown, ...others] = await bob.damageList({})
  expect([shown?.sha256, ...others]).toEqual([digest])
  expect(new Set(shown?.values.map(({ dataset }) => dataset))).toEqual(new Set(['photos']))
})

test('who is kept from deleting a dataset by what they may not read is told no names', async () => {
  await alice.grantSet({ datasetId: 'signed', body: { everyone: true, role: 'none' } })
  const refused = bob.repoDelete({ datasetId: 'photos' })
  await expect(refused).rejects.toMatchObject({
    code: 'DATASET_REFERENCED',
    message: errors.DATASET_REFERENCED.message,
    body: { details: { referencedBy: [] } },
  })
  await expect(alice.repoDelete({ datasetId: 'photos' })).rejects.toMatchObject({
    body: { details: { referencedBy: ['signed'] } },
  })
})
