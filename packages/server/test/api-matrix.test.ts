// @module-tag engines

import {
  allows,
  api,
  errors,
  integrityPart,
  tokenScopes,
  type Call,
  type CallName,
  type TokenScope,
} from '@vitrine/contract'
import { addItem, callUrl } from '@vitrine/client'
import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyOf } from './body-of.ts'
import { form } from './form.ts'
import { ownOrigin } from './own-origin.ts'
import { addNamedPerson, beginImport, checkedImport, createPictures } from './call-data.ts'
import { logInputs, there } from './call-inputs.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ VITRINE_ADMINS: 'alice', VITRINE_EVERYONE: 'curator' })
  await createRepo('people')
  await addItem(server.client, 'people', { name: 'Ada' })
  await server.client.viewCreate({ body: { name: 'shown', base: 'people' } })
})

afterAll(() => server.close())

type Input = Record<string, unknown>

const schema = [{ name: 'name', type: 'string', length: 20 }]
const integrity = { name: { sha256: createHash('sha256').update('Grace').digest('hex') } }
const createRepo = (name: string) => server.client.repoCreate({ body: { name, schema } })

/** Brings about what a call needs, and says what it is to be called with to succeed. */
const successes: Record<CallName, () => Promise<Input>> = {
  datasetList: async () => ({}),
  datasetSearch: async () => ({}),
  itemSearch: async () => ({ q: 'Ada' }),
  datasetGet: async () => ({ datasetId: 'people' }),
  datasetRole: async () => ({ datasetId: 'people' }),
  datasetState: async () => ({ datasetId: 'people' }),
  datasetDiff: async () => ({ datasetId: 'people', from: 0 }),
  datasetItemList: async () => ({ datasetId: 'people' }),
  datasetItemGet: async () => ({ datasetId: 'people', itemId: 1 }),
  datasetFieldGet: async () => ({ datasetId: 'people', itemId: 1, fieldName: 'name' }),
  datasetPictureGet: async () => {
    await createPictures(server.client)
    return { datasetId: 'pictures', itemId: 1, fieldName: 'picture', width: 96 }
  },
  datasetSnapshot: async () => ({ datasetId: 'people@1' }),
  datasetSnapshotFile: async () => ({ datasetId: 'people@1' }),
  datasetSnapshotPart: async () => ({ datasetId: 'people@1', part: 0 }),
  datasetExport: async () => ({ datasetId: 'people', format: 'ndjson' }),
  datasetCount: async () => ({ datasetId: 'people' }),
  datasetGrowth: async () => ({ datasetId: 'people' }),
  datasetProvenance: async () => ({ datasetId: 'people' }),
  datasetItemAuthor: async () => ({ datasetId: 'people', itemId: 1 }),
  whoAmI: async () => ({}),
  auditList: async () => ({}),
  auditExport: async () => ({}),
  ...logInputs,
  nameErase: async () => ({ body: { subject: await addNamedPerson(server) } }),
  datasetItemNeighbours: async () => ({ datasetId: 'people', itemId: 1 }),
  datasetLabelList: async () => ({ datasetId: 'people', ids: [1] }),
  datasetSummary: async () => ({ datasetId: 'people' }),
  grantList: async () => ({ datasetId: 'people' }),
  grantSet: async () => ({ datasetId: 'people', body: { everyone: true, role: 'reader' } }),
  grantRevoke: async () => {
    const body = { person: 'alice', role: 'reader' } as const
    const { id } = await server.client.grantSet({ datasetId: 'people', body })
    return { datasetId: 'people', grantId: id }
  },
  personList: async () => ({ datasetId: 'people' }),
  groupList: async () => ({ datasetId: 'people' }),
  damageList: async () => ({}),
  deletedList: async () => ({}),
  deletedRestore: async () => ({ deletedId: await deleted(), body: {} }),
  deletedRemove: async () => ({ deletedId: await deleted() }),
  repoList: async () => ({}),
  repoCreate: async () => ({ body: { name: freshName(), schema } }),
  repoExtend: async () => ({ datasetId: 'people', body: { name: 'people', schema } }),
  repoDelete: async () => ({ datasetId: (await createRepo('doomed')).name }),
  insertBegin: async () => ({ datasetId: 'people' }),
  insertUpload: async () => ({ ...(await begun()), body: form({ name: 'Grace' }) }),
  insertFieldUpload: async () => ({ ...(await begun()), fieldName: 'name', body: 'Grace' }),
  insertCommit: async () => {
    const insert = await begun()
    await server.client.insertUpload({ ...insert, body: form({ name: 'Grace' }) })
    return { ...insert, body: { integrity } }
  },
  correctionBegin: async () => ({ datasetId: 'people', itemId: 1, body: { reason: 'typing' } }),
  itemWithdraw: async () => ({ datasetId: 'people', itemId: 1, body: { reason: 'twice' } }),
  datasetVersionList: async () => ({ datasetId: 'people', itemId: 1 }),
  datasetReplacementList: async () => ({ datasetId: 'people', ids: [1] }),
  itemAdd: async () => {
    const body = form({ name: 'Grace', [integrityPart]: JSON.stringify(integrity) })
    return { datasetId: 'people', key: randomUUID(), body }
  },
  itemAddMany: async () => {
    const items = [{ key: randomUUID(), values: { name: 'Grace' }, integrity }]
    return { datasetId: 'people', body: { items } }
  },
  importList: async () => ({ datasetId: 'people' }),
  importBegin: async () => ({ datasetId: 'people', format: 'ndjson', body: '{"name":"Ada"}' }),
  importAppend: async () => ({
    ...(await beginImport(server.client)),
    offset: 0,
    body: '{"name":"Ada"}',
  }),
  importGet: () => beginImport(server.client),
  importReport: () =>
    beginImport(server.client, { mode: 'skip', complete: true, body: '{"nam":"Ada"}' }),
  importDifference: async () => {
    const { outcome: _, ...named } = await checkedImport(server.client)
    return named
  },
  importConfirm: async () => ({ ...(await checkedImport(server.client)), wait: 20 }),
  importCancel: () => beginImport(server.client),
  originAdd: () => ownOrigin(server.client, 'people'),
  linkList: async () => ({ datasetId: 'people' }),
  linkCreate: async () => ({ datasetId: 'people', body: { name: 'matrix', hours: 1 } }),
  linkRevoke: async () => {
    const body = { name: 'matrix', hours: 1 }
    const { id } = await server.client.linkCreate({ datasetId: 'people', body })
    return { datasetId: 'people', linkId: id }
  },
  tokenList: async () => ({}),
  tokenCreate: async () => ({ body: { name: 'ci', scope: 'read', expiresAt: null } }),
  tokenRevoke: async () => ({ tokenId: (await createToken('read')).id }),
  viewList: async () => ({}),
  viewCreate: async () => ({ body: { name: freshName(), base: 'people' } }),
  viewPreview: async () => ({ body: { name: 'previewed', base: 'people' } }),
  viewDelete: async () => {
    await server.client.viewCreate({ body: { name: 'doomed-view', base: 'people' } })
    return { datasetId: 'doomed-view' }
  },
}

async function deleted(): Promise<number> {
  const { name } = await createRepo(freshName())
  await server.client.repoDelete({ datasetId: name })
  return (await server.client.deletedList({ name }))[0]!.id
}

/** A word in what is answered as bytes. */
function wordOf(name: CallName): string {
  if (name === 'importReport') return 'nam'
  if (name.startsWith('datasetSnapshot')) return 'PAR1'
  if (name === 'auditExport') return '"dataset-created"'
  if (name === 'datasetPictureGet') return 'WEBP'
  if (name === 'logTile') return '"createdAt"'
  if (name === 'auditTile') return '\0@'
  return /^(?:log|audit)/.test(name) ? server.url.replace(/.*:/, ':') : 'Ada'
}

let fresh = 0
const freshName = () => `fresh-${(fresh += 1)}`

function createToken(scope: TokenScope) {
  return server.client.tokenCreate({ body: { name: 'matrix', scope, expiresAt: null } })
}

async function begun() {
  const { id } = await server.client.insertBegin({ datasetId: 'people' })
  return { datasetId: 'people', itemId: id }
}

function send(
  call: Call,
  input: Input,
  { token, query = '', init = {} }: { token?: string | null; query?: string; init?: RequestInit },
): Promise<Response> {
  const path = callUrl({ baseUrl: '' }, call, input)
  const url = query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`
  return server.request(url, {
    method: call.method,
    ...init,
    ...(token !== undefined && { token }),
  })
}

function sendBody(call: Call, input: Input, token?: string): Promise<Response> {
  const { body } = input
  const json = call.body !== undefined && call.body !== 'multipart' && call.body !== 'bytes'
  const init: RequestInit = json
    ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    : { body: (body ?? null) as BodyInit | null }
  return send(call, input, { init, ...(token !== undefined && { token }) })
}

async function snapshot(): Promise<unknown> {
  const { client } = server
  return [
    await client.datasetList({ pageSize: 1000 }),
    await client.datasetItemList({ datasetId: 'people', pageSize: 1000 }),
  ]
}

describe.each(Object.entries<Call>(api))('%s', (name, call) => {
  // Of logs these are sizes, of a list of acts moments.
  const input = ['auditList', 'auditExport'].includes(name) ? {} : { ...there }

  test('without a token is refused', async () => {
    const response = await send(call, input, { token: null })
    expect(response.status).toBe(401)
    expect(await bodyOf(response)).toEqual({ code: 'TOKEN_MISSING', message: 'Unauthorized' })
  })

  test.each([
    ['of another issuer', { iss: 'https://example.org' }],
    ['for another audience', { aud: 'another' }],
    ['that is an ID token', { nonce: 'x', scope: undefined, client_id: undefined }],
  ])('with a token %s is refused', async (_, claims) => {
    const header = 'nonce' in claims ? { typ: 'JWT' } : {}
    const token = await server.issuer.token(claims, header)
    const response = await send(call, input, { token })
    expect(response.status).toBe(401)
    expect(await bodyOf(response)).toEqual({ code: 'TOKEN_INVALID', message: 'Unauthorized' })
  })

  test.each(tokenScopes)('with a personal access token of the scope %s', async (scope) => {
    const { token } = await createToken(scope)
    const response = await sendBody(call, await successes[name as CallName](), token)
    if (allows(scope, call.scope)) {
      expect(response.status).toBe(call.status)
      await response.body?.cancel()
    } else {
      expect(response.status).toBe(403)
      expect(response.headers.get('www-authenticate')).toContain(
        `error="insufficient_scope", scope="${call.scope}"`,
      )
      expect(await bodyOf(response)).toEqual({
        code: 'SCOPE_INSUFFICIENT',
        message: 'the token lacks the scope of this call',
        details: { scope: call.scope },
      })
    }
  })

  test('with a query that it does not take is refused', async () => {
    const before = await snapshot()
    const response = await send(call, input, { query: 'pageNumber=1' })
    expect(response.status).toBe(400)
    expect(await bodyOf(response)).toMatchObject({
      code: 'QUERY_INVALID',
      details: { problems: [{ path: ['pageNumber'] }] },
    })
    expect(await snapshot()).toEqual(before)
  })

  if (call.path.includes('{datasetId}')) {
    test('of an unknown dataset is refused', async () => {
      const response = await sendBody(call, {
        ...(await successes[name as CallName]()),
        datasetId: 'nobody',
      })
      const { code, message } = await bodyOf(response)
      expect(response.status).toBe(404)
      expect(call.errors).toContain(code)
      expect(message).toBe(errors[code as keyof typeof errors].message)
    })
  }

  // Any bytes may be a part of the file of an import.
  if (call.body !== undefined && name !== 'importAppend') {
    test('with a bad body is refused and changes nothing', async () => {
      const insert = name.startsWith('insert') ? await begun() : {}
      const before = await snapshot()
      const body = call.body === 'bytes' ? new Uint8Array([0xff, 0xfe]) : '{"a":'
      const type = { multipart: 'multipart/form-data; boundary=x', bytes: 'text/plain' }
      const response = await send(
        call,
        { ...there, ...insert },
        {
          init: {
            body,
            headers: {
              'content-type': typeof call.body === 'string' ? type[call.body] : 'application/json',
            },
          },
        },
      )
      const { code } = await bodyOf(response)
      expect(call.errors).toContain(code)
      expect([400, 422]).toContain(response.status)
      expect(await snapshot()).toEqual(before)
    })

    if (call.body !== 'bytes') {
      test('with a body of another type is refused', async () => {
        const insert = name.startsWith('insert') ? await begun() : {}
        const response = await send(
          call,
          { ...there, ...insert },
          {
            init: { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
          },
        )
        expect(response.status).toBe(415)
        expect(await bodyOf(response)).toMatchObject({ code: 'MEDIA_TYPE_UNSUPPORTED' })
      })
    }
  }

  test('succeeds, in the shape that the table says', async () => {
    const response = await sendBody(call, await successes[name as CallName]())
    expect(response.status).toBe(call.status)
    if (call.reply === undefined) {
      expect(await response.text()).toBe('')
    } else if (call.reply === 'bytes') {
      expect(await response.text()).toContain(wordOf(name as CallName))
    } else {
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
      const reply = await response.json()
      expect(call.reply.parse(reply)).toEqual(reply)
    }
  })
})
