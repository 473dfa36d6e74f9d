// @module-tag engines

import { addItem, callUrl, createClient, type Client } from '@vitrine/client'
import {
  type Call,
  type CallName,
  type ExportFormat,
  type NewToken,
  api,
  needsAllDatasets,
} from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { there } from './call-inputs.ts'
import { recordDamage } from '../src/store/damage.ts'
import { refusal, sha256 } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'
import { wholeSearch } from './whole-search.ts'

/** Tokens that are for some datasets only, where everybody signed in may do everything. */

let server: TestServer
let alice: Client
/** With a token for `photos`, of the scope `manage`. */
let limited: Client

const text = (name: string) => ({ name, type: 'string', length: 80 })

beforeAll(async () => {
  server = await startTestServer({ VITRINE_ADMINS: 'alice' })
  alice = server.client
  const portrait = { name: 'portrait', type: 'binary', mime: 'text/plain' }
  await alice.repoCreate({ body: { name: 'authors', schema: [text('alias'), portrait] } })
  const face = new Blob(['a face'], { type: 'text/plain' })
  await addItem(alice, 'authors', { alias: 'Zyx', portrait: face })
  const author = { name: 'author', type: 'reference', target: 'authors', optional: true }
  await alice.repoCreate({ body: { name: 'photos', schema: [text('title'), author] } })
  await addItem(alice, 'photos', { title: 'one', author: '1' })
  const by = { name: 'by', from: 'author.alias' }
  await alice.viewCreate({ body: { name: 'signed', base: 'photos', fields: ['title', by] } })
  limited = await clientFor(['photos'])
})

afterAll(() => server.close())

function create(datasets: NewToken['datasets'], { client = alice, ...others } = {}) {
  const body = { name: 'ci', scope: 'manage', expiresAt: null, datasets, ...others }
  return client.tokenCreate({ body })
}

async function clientFor(datasets: string[]): Promise<Client> {
  const { token } = await create(datasets)
  return createClient({ baseUrl: server.url, token: () => token, retries: 0 })
}

const notFound = { status: 404, code: 'DATASET_NOT_FOUND' }
const count = (client: Client, datasetId: string) => client.datasetCount({ datasetId })

test('names its datasets, each once, in the list and in the audit log', async () => {
  const { id, token: _, ...created } = await create(['photos', 'signed', 'photos'])
  const datasets = ['photos', 'signed'].map((name) => ({ name, isThere: true }))
  expect(created.datasets).toEqual(datasets)
  expect((await alice.tokenList({}))[0]).toEqual({ id, ...created })
  const [entry] = await alice.auditList({ what: 'token-created' })
  expect(entry!.details).toMatchObject({ token: id, datasets: ['photos', 'signed'] })
  expect((await create(null)).datasets).toBeNull()
  expect((await create(undefined)).datasets).toBeNull()
})

test.for([
  ['none', [], ['datasets']],
  ['one that is not there', ['photos', 'nothing'], ['datasets', 1]],
  ['what is no name', ['photos', 'a/b\0'], ['datasets', 1]],
  ['too many', Array.from({ length: 101 }, () => 'photos'), ['datasets']],
] as const)('is not made for %s', async ([, datasets, path]) => {
  const before = await alice.tokenList({})
  const error = await create([...datasets]).catch((error: unknown) => error)
  expect(error).toMatchObject({
    code: 'REQUEST_INVALID',
    body: { details: { problems: [{ path }] } },
  })
  expect(await alice.tokenList({})).toEqual(before)
})

test('serves for its dataset, and for nothing else', async () => {
  expect(await count(limited, 'photos')).toMatchObject({ totalItems: 1 })
  const { role } = await limited.datasetRole({ datasetId: 'photos' })
  expect(role).toBe('owner')
  for (const datasetId of ['authors', 'signed', 'nothing']) {
    expect(await refusal(count(limited, datasetId))).toEqual(notFound)
  }
  for (const list of [limited.datasetList({}), limited.repoList({}), limited.datasetSearch({})]) {
    expect((await list).map(({ name }) => name)).toEqual(['photos'])
  }
  expect(await limited.viewList({})).toEqual([])
  expect(await wholeSearch(limited, 'Zyx')).toEqual([])
  const info = await limited.datasetGet({ datasetId: 'photos' })
  expect(info).toMatchObject({ referencesTo: [], referencedBy: [] })
  const preview = { base: 'photos', fields: [{ name: 'by', from: 'author.alias' }] }
  const previewed = limited.viewPreview({ body: preview })
  expect(await refusal(previewed)).toMatchObject({ status: 400 })
})

test('exports nothing of what it is not for, and lists no damage of it', async () => {
  const exported = async (client: Client, query: { format: ExportFormat; integrity?: boolean }) =>
    new Response(await client.datasetExport({ datasetId: 'photos', ...query })).text()
  const sealed = { format: 'ndjson', integrity: true } as const
  expect(await exported(alice, sealed)).toMatch(/"author.seal":"[0-9a-f]{64}"/)
  expect(await exported(limited, sealed)).not.toContain('author.seal')
  expect(await exported(alice, { format: 'croissant' })).toContain('alias')
  expect(await exported(limited, { format: 'croissant' })).not.toContain('alias')
  await exported(alice, { format: 'bundle' })
  expect(await refusal(exported(limited, { format: 'bundle' }))).toMatchObject({
    status: 403,
    code: 'FORBIDDEN',
  })
  const { link } = await alice.linkCreate({ datasetId: 'photos', body: { name: 'x', hours: 1 } })
  const opened = await server.request(
    `/api/dataset/photos/export?format=ndjson&integrity=true&link=${link}`,
    { token: null },
  )
  expect(await opened.text()).not.toContain('author.seal')

  await server.database.use(({ write }) =>
    write((transaction) => recordDamage(transaction, { sha256: sha256('a face'), what: 'cut' })),
  )
  expect(await alice.damageList({})).toHaveLength(1)
  expect(await limited.damageList({})).toEqual([])
})

test('a view shows what it shows, without its base', async () => {
  const client = await clientFor(['signed'])
  const page = await client.datasetItemList({ datasetId: 'signed' })
  expect(page.map(({ data }) => data)).toEqual([{ title: 'one', by: 'Zyx' }])
  expect(await refusal(count(client, 'photos'))).toEqual(notFound)
})

test('serves for no call that creates datasets or is about the installation', async () => {
  const calls = (Object.entries(api) as [CallName, Call][]).filter(([, call]) =>
    needsAllDatasets(call),
  )
  expect(calls.map(([name]) => name).toSorted()).toEqual([
    'auditExport',
    'auditList',
    'auditTile',
    'deletedRemove',
    'deletedRestore',
    'nameErase',
    'repoCreate',
    'viewCreate',
  ])
  const { token } = await create(['photos'])
  for (const [name, call] of calls) {
    const response = await server.request(callUrl({ baseUrl: '' }, call, there), {
      method: call.method,
      token,
    })
    expect(await response.json(), name).toMatchObject({ code: 'TOKEN_LIMITED' })
  }
  expect(await limited.whoAmI({})).toMatchObject({ mayCreate: false })
})

test('adds no reference to what it is not for, by an id or an import', async () => {
  const added = addItem(limited, 'photos', { title: 'two', author: '1' })
  expect(await refusal(added)).toMatchObject({ status: 422 })
  const lookUp = {
    datasetId: 'photos',
    format: 'ndjson',
    complete: true,
    wait: 20,
  } as const
  const rows = (word: string) =>
    new Blob([`${JSON.stringify({ title: 'two', 'author.lookup.alias': word })}\n`])
  const refused = async (word: string) =>
    limited.importBegin({ ...lookUp, body: rows(word) }).catch((error: unknown) => error)
  const [known, unknown] = [await refused('Zyx'), await refused('Xyz')]
  expect(known).toMatchObject({ code: 'IMPORT_REFUSED' })
  const { problems } = known as { problems: string[] }
  expect(problems).toHaveLength(1)
  expect(unknown).toMatchObject({ problems })

  const begun = { ...lookUp, key: 'shared', complete: false, wait: 0 }
  await alice.importBegin({ ...begun, body: new Blob([]) })
  const rest = { datasetId: 'photos', importKey: 'shared', offset: 0, complete: true }
  const limitedRefusal = { status: 403, code: 'TOKEN_LIMITED' }
  expect(await refusal(limited.importAppend({ ...rest, body: rows('Zyx') }))).toEqual(
    limitedRefusal,
  )
  expect(await refusal(limited.importBegin({ ...begun, body: rows('Zyx') }))).toEqual(
    limitedRefusal,
  )
  await alice.importCancel({ datasetId: 'photos', importKey: 'shared' })
  expect(await count(alice, 'photos')).toMatchObject({ totalItems: 1 })
})

test('is for the dataset and not for its name', async () => {
  const body = { name: 'drafts', schema: [text('title')] }
  await alice.repoCreate({ body })
  await addItem(alice, 'drafts', { title: 'first' })
  const { id, token } = await create(['drafts', 'photos'])
  const client = createClient({ baseUrl: server.url, token: () => token, retries: 0 })
  const isThere = async () =>
    (await alice.tokenList({})).find((each) => each.id === id)!.datasets![0]!.isThere
  await alice.repoDelete({ datasetId: 'drafts' })
  expect(await refusal(count(client, 'drafts'))).toEqual(notFound)
  expect((await client.deletedList({})).map(({ name }) => name)).toEqual(['drafts'])
  expect(await limited.deletedList({})).toEqual([])

  await alice.repoCreate({ body: { ...body, schema: [text('another')] } })
  expect(await refusal(count(client, 'drafts'))).toEqual(notFound)
  expect(await isThere()).toBe(false)

  await alice.repoDelete({ datasetId: 'drafts' })
  const deleted = (await alice.deletedList({})).at(-1)!
  await alice.deletedRestore({ deletedId: deleted.id, body: {} })
  expect(await count(client, 'drafts')).toMatchObject({ totalItems: 1 })
  expect(await isThere()).toBe(true)
})

test('narrows what its owner may, and never widens it', async () => {
  const env = { VITRINE_EVERYONE: 'reader', VITRINE_ADMINS: 'root' }
  await using parts = new AsyncDisposableStack()
  const strict = parts.adopt(await startTestServer(env), (each) => each.close())
  const rootToken = await strict.issuer.token({ sub: 'root' })
  const root = createClient({ baseUrl: strict.url, token: () => rootToken })
  for (const name of ['open', 'closed']) {
    await root.repoCreate({ body: { name, schema: [text('title')] } })
  }
  const { id, token } = await create(['open', 'closed'], { client: strict.client })
  const client = createClient({ baseUrl: strict.url, token: () => token, retries: 0 })
  await count(client, 'closed')
  expect(await refusal(client.repoDelete({ datasetId: 'open' }))).toMatchObject({
    code: 'FORBIDDEN',
  })
  await root.grantSet({ datasetId: 'closed', body: { everyone: true, role: 'none' } })
  expect(await refusal(count(client, 'closed'))).toEqual(notFound)
  expect((await client.datasetList({})).map(({ name }) => name)).toEqual(['open'])
  const [listed] = await strict.client.tokenList({})
  expect(listed).toMatchObject({ id, datasets: [{ isThere: true }, { isThere: false }] })
  const named = create(['closed'], { client: strict.client })
  expect(await refusal(named)).toMatchObject({ code: 'REQUEST_INVALID' })
})
