// @module-tag engines

import { addItem, fetchItemProof, createClient, type Client } from '@vitrine/client'
import type { TokenScope } from '@vitrine/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { removeAccount } from '../src/access/provider/accounts.ts'
import { bodyOf } from './body-of.ts'
import { challenge } from './challenge.ts'
import { admin, startLocalServer, type LocalServer } from './local-server.ts'
import { LogLines } from './log-lines.ts'
import { refusal } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'

const day = 86_400_000
const schema = [{ name: 'name', type: 'string', length: 20 }]
const log = new LogLines()
let server: TestServer

beforeAll(async () => {
  server = await startTestServer(
    { VITRINE_LOG_LEVEL: 'info' },
    { restarts: true, logOutput: log.output },
  )
  await server.client.repoCreate({ body: { name: 'people', schema } })
  await addItem(server.client, 'people', { name: 'Ada' })
})

afterAll(() => server.close())

type Asked = { name?: string; scope?: TokenScope; expiresAt?: string | null }

function create({ name = 'ci', scope = 'read', expiresAt = null }: Asked = {}) {
  return server.client.tokenCreate({ body: { name, scope, expiresAt } })
}

const clientOf = (token: string): Client =>
  createClient({ baseUrl: server.url, token: () => token, retries: 0 })

const list = (client = server.client) => client.tokenList({})
const invalid = { status: 401, code: 'TOKEN_INVALID' }

async function setMoments(id: number, moments: { expires_at?: number; used_at?: number }) {
  await server.database.use((store) =>
    store.write((transaction) =>
      transaction.updateTable('tokens').set(moments).where('id', '=', id).execute(),
    ),
  )
}

describe('a token', () => {
  test('is shown once, listed without its text, and kept as a hash', async () => {
    const expiresAt = new Date(Date.now() + 90 * day).toISOString()
    const { token, ...info } = await create({ name: ' notebook ', scope: 'add', expiresAt })
    expect(token).toMatch(/^vtr_[0-9A-Za-z]{49}$/)
    expect(info).toMatchObject({ name: 'notebook', scope: 'add', expiresAt, usedAt: null })
    expect((await list())[0]).toEqual(info)
    const rows = await server.database.use((store) =>
      store.reads.selectFrom('tokens').selectAll().execute(),
    )
    expect(JSON.stringify(rows)).not.toContain(token.slice(4, 40))
    expect(log.text).not.toContain(token.slice(4, 40))
  })

  test('can be listed and revoked by its owner only', async () => {
    const { id, token } = await create()
    const bobs = await server.issuer.token({ sub: 'bob' })
    const bob = clientOf(bobs)
    expect(await list(bob)).toEqual([])
    const unknown = { status: 404, code: 'TOKEN_NOT_FOUND' }
    expect(await refusal(bob.tokenRevoke({ tokenId: id }))).toEqual(unknown)
    expect(await clientOf(token).datasetCount({ datasetId: 'people' })).toMatchObject({
      totalItems: 1,
    })
  })

  test('is refused from the moment at which it is revoked', async () => {
    const { id, token } = await create()
    const client = clientOf(token)
    await client.datasetCount({ datasetId: 'people' })
    await server.client.tokenRevoke({ tokenId: id })
    expect(await refusal(client.datasetCount({ datasetId: 'people' }))).toEqual(invalid)
    expect((await list()).map((each) => each.id)).not.toContain(id)
    expect(await refusal(server.client.tokenRevoke({ tokenId: id }))).toEqual({
      status: 404,
      code: 'TOKEN_NOT_FOUND',
    })
  })

  test('ends when it expires, is told of as expired, and forgotten after 30 days', async () => {
    const { id, token } = await create({ expiresAt: new Date(Date.now() + day).toISOString() })
    await clientOf(token).datasetCount({ datasetId: 'people' })
    await setMoments(id, { expires_at: Date.now() - 1 })
    expect(await refusal(clientOf(token).datasetCount({ datasetId: 'people' }))).toEqual({
      status: 401,
      code: 'TOKEN_EXPIRED',
    })
    await server.upkeep()
    expect((await list()).map((each) => each.id)).toContain(id)
    await setMoments(id, { expires_at: Date.now() - 31 * day })
    await server.upkeep()
    expect((await list()).map((each) => each.id)).not.toContain(id)
  })

  test('stays over a restart, and while the provider is away', async () => {
    const { token } = await create()
    await server.restart()
    server.issuer.up = false
    try {
      expect(await clientOf(token).datasetCount({ datasetId: 'people' })).toMatchObject({
        totalItems: 1,
      })
    } finally {
      server.issuer.up = true
    }
  })

  test.for([
    ['no name', { name: ' ' }, ['name']],
    ['too long a name', { name: 'x'.repeat(101) }, ['name']],
    ['a name with NUL', { name: 'a\0' }, ['name']],
    ['an unknown scope', { scope: 'admin' as TokenScope }, ['scope']],
    ['an end that is over', { expiresAt: '2020-01-01T00:00:00Z' }, ['expiresAt']],
    ['an end on no calendar', { expiresAt: '2027-02-31' }, ['expiresAt']],
    [
      'an end in years',
      { expiresAt: new Date(Date.now() + 368 * day).toISOString() },
      ['expiresAt'],
    ],
  ] as const)('with %s is not made', async ([, asked, path]) => {
    const error = await create(asked).catch((error: unknown) => error)
    expect(error).toMatchObject({
      code: 'REQUEST_INVALID',
      body: { details: { problems: [{ path }] } },
    })
  })

  test('needs an expiresAt, which may be null', async () => {
    const body = { name: 'ci', scope: 'read' }
    expect(await refusal(server.client.tokenCreate({ body }))).toMatchObject({
      status: 400,
      code: 'REQUEST_INVALID',
    })
    expect((await create({ expiresAt: null })).expiresAt).toBeNull()
  })

  test('acts for its person: what it began, a sign-in ends, and the log says who', async () => {
    const { token } = await create({ scope: 'add' })
    const client = clientOf(token)
    const { id: itemId } = await client.insertBegin({ datasetId: 'people' })
    const body = new FormData()
    body.append('name', new Blob(['Grace']))
    const insert = { datasetId: 'people', itemId }
    const uploaded = await server.client.insertUpload({ ...insert, body })
    const integrity = { name: { sha256: uploaded.fields['name']!.sha256 } }
    await server.client.insertCommit({ ...insert, body: { integrity } })
    const added = await addItem(client, 'people', { name: 'Edsger' })
    for (const id of [itemId, added]) {
      const { entry } = await fetchItemProof(server.client, { datasetId: 'people', itemId: id })
      expect(entry).toContain('alice')
    }
    const bob = clientOf(await server.issuer.token({ sub: 'bob' }))
    const theirs = await client.insertBegin({ datasetId: 'people' })
    const taken = { datasetId: 'people', itemId: theirs.id, body }
    expect(await refusal(bob.insertUpload(taken))).toEqual({
      status: 404,
      code: 'REPO_OR_ITEM_NOT_FOUND',
    })
  })

  test('deposits where it may read nothing', async () => {
    const { token } = await create({ scope: 'deposit' })
    const client = clientOf(token)
    const ids = [
      await addItem(client, 'people', { name: 'Barbara' }),
      await addItem(client, 'people', { name: 'Donald' }, { oneRequest: true }),
    ]
    for (const itemId of ids) {
      const read = client.datasetItemGet({ datasetId: 'people', itemId })
      expect(await refusal(read)).toEqual({ status: 403, code: 'SCOPE_INSUFFICIENT' })
    }
    expect(await refusal(client.datasetList({}))).toMatchObject({ code: 'SCOPE_INSUFFICIENT' })
    const item = await server.client.datasetItemGet({ datasetId: 'people', itemId: ids[1]! })
    expect(item.data).toEqual({ name: 'Donald' })
  })

  test('says when it was last used, with a write a minute at most', async () => {
    const { id, token } = await create()
    const usedAt = async () => (await list()).find((each) => each.id === id)!.usedAt
    const client = clientOf(token)
    await client.datasetCount({ datasetId: 'people' })
    await expect.poll(usedAt).not.toBeNull()
    const first = await usedAt()
    await Promise.all(
      Array.from({ length: 20 }, () => client.datasetCount({ datasetId: 'people' })),
    )
    expect(await usedAt()).toBe(first)
  })
})

describe('a token of another issuer', () => {
  test('is refused and not listed until its issuer is configured again', async () => {
    const { id, token } = await create()
    const setIssuer = (issuer: string) =>
      server.database.use((store) =>
        store.write((transaction) =>
          transaction.updateTable('tokens').set({ issuer }).where('id', '=', id).execute(),
        ),
      )
    await setIssuer('https://elsewhere.example')
    expect(await refusal(clientOf(token).datasetList({}))).toEqual(invalid)
    expect((await list()).map((each) => each.id)).not.toContain(id)
    await setIssuer(server.issuer.issuer)
    await clientOf(token).datasetList({})
  })
})

describe('switched off', () => {
  let off: TestServer
  afterEach(() => off.close())

  test('none is taken or made, and those that are there can be revoked', async () => {
    off = await startTestServer({ VITRINE_TOKENS: 'off' })
    const config = (await (await off.request('/config.json')).json()) as { features: string[] }
    expect(config.features).not.toContain('tokens')
    const body = { name: 'ci', scope: 'read', expiresAt: null }
    expect(await refusal(off.client.tokenCreate({ body }))).toEqual({
      status: 403,
      code: 'TOKENS_OFF',
    })
    const { token, ...row } = await create()
    const [kept] = await server.database.use((store) =>
      store.reads.selectFrom('tokens').selectAll().where('id', '=', row.id).execute(),
    )
    await off.database.use((store) =>
      store.write((transaction) =>
        transaction
          .insertInto('tokens')
          .values({ ...kept!, id: 1, issuer: off.issuer.issuer })
          .execute(),
      ),
    )
    const headers = { authorization: `Bearer ${token}` }
    const refused = await off.request('/api/dataset', { token: null, headers })
    expect(await bodyOf(refused)).toMatchObject({ code: 'TOKEN_INVALID' })
    expect(await challenge(off.url, { 'user-agent': 'curl/8.5.0' })).toBe('Bearer realm="vitrine"')
    expect(await off.client.tokenList({})).toHaveLength(1)
    await off.client.tokenRevoke({ tokenId: 1 })
    expect(await off.client.tokenList({})).toEqual([])
  })
})

describe('a token of the built-in provider', () => {
  let local: LocalServer
  beforeAll(async () => {
    local = await startLocalServer()
  })
  afterAll(() => local.close())

  test('outlives the session, and ends with the account', async () => {
    const visitor = local.visitor()
    const { access_token: session, id_token: hint } = await visitor.signIn(admin)
    const client = createClient({ baseUrl: local.url, token: () => session, retries: 0 })
    const body = { name: 'ci', scope: 'read', expiresAt: null }
    const { token } = await client.tokenCreate({ body })
    const byToken = createClient({ baseUrl: local.url, token: () => token, retries: 0 })
    await byToken.datasetList({})
    await visitor.signOut({ id_token_hint: hint })
    expect(await refusal(client.datasetList({}))).toEqual(invalid)
    await byToken.datasetList({})
    const asks = { authorization: `Bearer ${token}` }
    const me = await fetch(`${local.url}/realms/local/me`, { headers: asks })
    expect(me.status).toBe(401)
    await local.database.use((store) => removeAccount(store, admin.username))
    expect(await refusal(byToken.datasetList({}))).toEqual(invalid)
    const left = await local.database.use((store) =>
      store.reads.selectFrom('tokens').selectAll().execute(),
    )
    expect(left).toEqual([])
  })
})
