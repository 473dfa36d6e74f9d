// @module-tag engines

import { addItem, callUrl, createClient, type Client } from '@vitrine/client'
import { type Call, type CallName, type NewLink, api } from '@vitrine/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeAccount } from '../src/access/provider/accounts.ts'
import { there } from './call-inputs.ts'
import { admin, startLocalServer } from './local-server.ts'
import { LogLines } from './log-lines.ts'
import { refusal } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'

/** Signed links: what they open, for whom, and until when. */

const log = new LogLines()
let server: TestServer
let alice: Client

const schema = [{ name: 'name', type: 'string', length: 20 }]

beforeAll(async () => {
  server = await startTestServer(
    { VITRINE_ADMINS: 'alice', VITRINE_LOG_LEVEL: 'info' },
    { logOutput: log.output },
  )
  alice = server.client
  for (const name of ['people', 'others']) {
    await alice.repoCreate({ body: { name, schema } })
    await addItem(alice, name, { name: 'Ada' })
    await addItem(alice, name, { name: 'Grace' })
  }
  await alice.viewCreate({ body: { name: 'seen', base: 'others' } })
})

afterAll(() => server.close())

const create = (datasetId = 'people', body: Partial<NewLink> = {}, client = alice) =>
  client.linkCreate({ datasetId, body: { name: 'review', hours: 24, ...body } })

/** Asks without any header of somebody who has signed in. */
function open(path: string, link: string, headers: Record<string, string> = {}) {
  const address = `/api/dataset/${path}${path.includes('?') ? '&' : '?'}link=${link}`
  return server.request(address, { token: null, headers, redirect: 'manual' })
}

async function outcome(path: string, link: string): Promise<string | number> {
  const response = await open(path, link)
  if (response.ok) {
    await response.body?.cancel()
    return response.status
  }
  const { code } = (await response.json()) as { code: string }
  return code
}

const calls = Object.entries(api) as [CallName, Call][]

describe('of the calls', () => {
  const inputs = { ...there, format: 'csv', itemId: 1 }
  const addressOf = (call: Call, datasetId: string) =>
    callUrl({ baseUrl: '' }, call, { ...inputs, datasetId })

  test.for(calls)('%s', async ([name, call]) => {
    const { link } = await create()
    const ask = async (datasetId: string, token: string | null) => {
      const address = addressOf(call, datasetId)
      const asked =
        token === null ? `${address}${address.includes('?') ? '&' : '?'}link=${link}` : address
      const response = await server.request(asked, {
        method: call.method,
        redirect: 'manual',
        ...(token === null && { token }),
      })
      const headers = [...response.headers].filter(([header]) => /type|state/.test(header))
      return { status: response.status, headers, body: await response.text() }
    }
    if (call.takesLink !== true) {
      expect(await ask('people', null)).toMatchObject({ status: 401 })
      return
    }
    expect(call).toMatchObject({ method: 'GET', scope: 'read', role: 'reader' })
    const signedIn = await ask('people', 'session')
    const opened = await ask('people', null)
    expect([opened.status, opened.headers], name).toEqual([signedIn.status, signedIn.headers])
    expect(opened.body.replaceAll(`?link=${link}`, '')).toBe(signedIn.body)
    const absent = await ask('nothing', null)
    expect(await ask('others', null)).toEqual(
      JSON.parse(JSON.stringify(absent).replaceAll('nothing', 'others')),
    )
    expect(absent.status).toBe(404)
  })

  test('those that read the data of a dataset take one', () => {
    expect(calls.filter(([, { takesLink }]) => takesLink).map(([name]) => name)).toEqual([
      'datasetGet',
      'datasetItemList',
      'datasetItemGet',
      'datasetItemNeighbours',
      'datasetFieldGet',
      'datasetPictureGet',
      'datasetCount',
      'datasetSummary',
      'datasetLabelList',
      'datasetExport',
      'datasetState',
      'datasetSnapshot',
      'datasetSnapshotFile',
      'datasetSnapshotPart',
      'datasetReplacementList',
    ])
  })
})

test('is shown once, kept as a hash, and in no line of the log', async () => {
  const { link, ...info } = await create('people', { name: ' review ', hours: 1 })
  expect(link).toMatch(/^vtl_[0-9A-Za-z]{49}$/)
  expect(info).toMatchObject({ name: 'review', at: null, by: { subject: 'alice' }, usedAt: null })
  expect(Date.parse(info.expiresAt) - Date.parse(info.createdAt)).toBeCloseTo(3_600_000, -4)
  expect((await alice.linkList({ datasetId: 'people' }))[0]).toEqual(info)
  expect(await outcome('people/export?format=csv', link)).toBe(200)
  expect(await outcome('people/export?format=csv&x=1', link)).toBe('QUERY_INVALID')
  const rows = await server.database.use((store) =>
    store.reads.selectFrom('tokens').selectAll().execute(),
  )
  for (const text of [JSON.stringify(rows), log.text]) expect(text).not.toContain(link.slice(4, 40))
  expect((await alice.auditList({ what: 'link-created' }))[0]).toMatchObject({
    dataset: { name: 'people' },
    details: { link: info.id, name: 'review', hours: 1 },
  })
  expect((await alice.tokenList({})).map(({ id }) => id)).not.toContain(info.id)
  expect(await refusal(alice.tokenRevoke({ tokenId: info.id }))).toMatchObject({
    code: 'TOKEN_NOT_FOUND',
  })
  await expect
    .poll(async () => (await alice.linkList({ datasetId: 'people' }))[0]!.usedAt)
    .not.toBeNull()
})

test('to one state shows that one alone', async () => {
  const { link } = await create('people', { at: 1 })
  const rows = await open('people/export?format=csv&at=1', link)
  expect((await rows.text()).trim().split('\n')).toHaveLength(2)
  const count = await open('people/count?at=1', link)
  expect(await count.json()).toMatchObject({ totalItems: 1 })
  expect(await outcome('people@1/snapshot.parquet', link)).toBe(200)
  for (const path of [
    'people/export?format=csv',
    'people/export?format=csv&at=2',
    'people@2/snapshot.parquet',
    'people/snapshot.parquet',
    'people/item',
  ]) {
    expect(await outcome(path, link), path).toMatch(/^DATASET(_OR_ITEM)?_NOT_FOUND$/)
  }
  expect(await refusal(create('people', { at: 3 }))).toEqual({
    status: 404,
    code: 'STATE_NOT_FOUND',
  })
  const nothing = await create('people', { at: 0 })
  const none = await open('people/count?at=0', nothing.link)
  expect(await none.json()).toMatchObject({ totalItems: 0 })
  expect(await outcome('people/count', nothing.link)).toBe('DATASET_NOT_FOUND')
  const view = await create('seen', { at: 1 })
  expect(await outcome('seen/item?at=1', view.link)).toBe(200)
  expect(await outcome('others/item?at=1', view.link)).toBe('DATASET_OR_ITEM_NOT_FOUND')
})

test('goes on where the file of now is at another address', async () => {
  const { link } = await create()
  const response = await open('people/snapshot.parquet', link)
  expect(response.status).toBe(307)
  const location = response.headers.get('location')!
  expect(location).toBe(`/api/dataset/people@2/snapshot.parquet?link=${link}`)
  const ranged = await server.request(location, { token: null, headers: { range: 'bytes=0-3' } })
  expect([ranged.status, await ranged.text()]).toEqual([206, 'PAR1'])
  const signedIn = await server.request('/api/dataset/people/snapshot.parquet', {
    redirect: 'manual',
  })
  expect(signedIn.headers.get('location')).toBe('/api/dataset/people@2/snapshot.parquet')
})

test('ends when it expires, and when it is revoked', async () => {
  const { id, link } = await create()
  await server.database.use((store) =>
    store.write((transaction) =>
      transaction
        .updateTable('tokens')
        .set({ expires_at: Date.now() - 1 })
        .where('id', '=', id)
        .execute(),
    ),
  )
  expect(await outcome('people/count', link)).toBe('LINK_INVALID')
  const other = await create()
  await alice.linkRevoke({ datasetId: 'people', linkId: other.id })
  expect(await outcome('people/count', other.link)).toBe('LINK_INVALID')
  expect(log.text).toContain('it was revoked, or never was one')
  const gone = alice.linkRevoke({ datasetId: 'people', linkId: other.id })
  expect(await refusal(gone)).toEqual({ status: 404, code: 'LINK_NOT_FOUND' })
  const elsewhere = alice.linkRevoke({ datasetId: 'others', linkId: id })
  expect(await refusal(elsewhere)).toEqual({ status: 404, code: 'LINK_NOT_FOUND' })
})

test('is told from a token, and both from what is neither', async () => {
  const { link } = await create()
  const { token } = await alice.tokenCreate({
    body: { name: 'ci', scope: 'read', expiresAt: null },
  })
  for (const text of [token, `${link}x`, link.slice(0, -1), 'x', '', `${link}&link=${link}`]) {
    expect(await outcome('people/count', text), text).toBe('LINK_INVALID')
  }
  for (const authorization of [`Bearer ${link}`, `Basic ${btoa(`me:${link}`)}`]) {
    const headers = { authorization }
    const response = await server.request('/api/dataset/people/count', { token: null, headers })
    expect(response.status).toBe(401)
  }
  // Whoever has signed in is asked for nothing else.
  const mine = await server.request(`/api/dataset/others/count?link=${link}`)
  expect(mine.status).toBe(200)
  const both = await open('others/count', link, { authorization: 'Bearer vtr_x' })
  expect(both.status).toBe(401)
})

test.for([
  ['no name', { name: ' ' }, 'name'],
  ['no time', { hours: 0 }, 'hours'],
  ['a part of an hour', { hours: 1.5 }, 'hours'],
  ['more than 30 days', { hours: 721 }, 'hours'],
  ['a state that is no number', { at: -1 }, 'at'],
] as const)('with %s is not made', async ([, body, field]) => {
  expect(await create('people', body).catch((error: unknown) => error)).toMatchObject({
    code: 'REQUEST_INVALID',
    body: { details: { problems: [{ path: [field] }] } },
  })
})

describe('where roles are given', () => {
  let strict: TestServer
  let root: Client
  beforeAll(async () => {
    strict = await startTestServer({ VITRINE_EVERYONE: 'reader', VITRINE_ADMINS: 'root' })
    const token = await strict.issuer.token({ sub: 'root' })
    root = createClient({ baseUrl: strict.url, token: () => token, retries: 0 })
    await root.repoCreate({ body: { name: 'people', schema } })
  })
  afterAll(() => strict.close())

  test('a reader makes and sees their own, owners see all, and revoke any', async () => {
    const alices = await create('people', {}, strict.client)
    const roots = await create('people', {}, root)
    const idsOf = async (client: Client) =>
      (await client.linkList({ datasetId: 'people' })).map(({ id }) => id)
    expect(await idsOf(root)).toEqual([roots.id, alices.id])
    expect(await idsOf(strict.client)).toEqual([alices.id])
    const theirs = strict.client.linkRevoke({ datasetId: 'people', linkId: roots.id })
    expect(await refusal(theirs)).toEqual({ status: 404, code: 'LINK_NOT_FOUND' })
    await root.linkRevoke({ datasetId: 'people', linkId: alices.id })
    expect(await idsOf(root)).toEqual([roots.id])
  })

  test('it opens nothing once its maker may read nothing', async () => {
    const { link } = await create('people', {}, strict.client)
    const ask = () => strict.request(`/api/dataset/people/count?link=${link}`, { token: null })
    expect((await ask()).status).toBe(200)
    const everyone = { everyone: true, role: 'none' } as const
    const { id } = await root.grantSet({ datasetId: 'people', body: everyone })
    expect((await ask()).status).toBe(404)
    await root.grantRevoke({ datasetId: 'people', grantId: id })
    expect((await ask()).status).toBe(200)
    await root.repoDelete({ datasetId: 'people' })
    await root.repoCreate({ body: { name: 'people', schema } })
    expect((await ask()).status).toBe(404)
  })
})

test('ends with the account of the built-in provider', async () => {
  const local = await startLocalServer()
  try {
    const { access_token: session } = await local.visitor().signIn(admin)
    const client = createClient({ baseUrl: local.url, token: () => session, retries: 0 })
    await client.repoCreate({ body: { name: 'people', schema } })
    const { link } = await create('people', {}, client)
    const ask = () => fetch(`${local.url}/api/dataset/people/count?link=${link}`)
    expect((await ask()).status).toBe(200)
    await local.database.use((store) => removeAccount(store, admin.username))
    expect((await ask()).status).toBe(403)
  } finally {
    await local.close()
  }
})

test('switched off, none is taken or made, and those that are there can be revoked', async () => {
  const off = await startTestServer({ VITRINE_LINKS: 'off' })
  try {
    const config = (await (await off.request('/config.json')).json()) as { features: string[] }
    expect(config.features).not.toContain('links')
    expect(config.features).toContain('tokens')
    await off.client.repoCreate({ body: { name: 'people', schema } })
    expect(await refusal(create('people', {}, off.client))).toEqual({
      status: 403,
      code: 'LINKS_OFF',
    })
    expect(await off.client.linkList({ datasetId: 'people' })).toEqual([])
  } finally {
    await off.close()
  }
})
