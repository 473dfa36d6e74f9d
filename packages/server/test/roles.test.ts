import { addItem, callUrl, createClient, type Client } from '@vitrine/client'
import { type Call, type CallName, type Role, api, includesRole, roles } from '@vitrine/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { there } from './call-inputs.ts'
import { startTestServer, type TestServer } from './server.ts'

const schema = [{ name: 'word', type: 'string', length: 10 }]
const calls = Object.entries(api) as [CallName, Call][]

/** Roles that do not include all; `api-matrix.test.ts` shows that nothing is refused to an `owner`. */
const lesser = roles.filter((role) => role !== 'owner')

describe.each(lesser)('where everybody signed in is %s', (everyone: Role) => {
  let server: TestServer
  let bob: string

  beforeAll(async () => {
    server = await startTestServer({ VITRINE_EVERYONE: everyone, VITRINE_ADMINS: 'alice' })
    await server.client.repoCreate({ body: { name: 'words', schema } })
    await server.client.viewCreate({ body: { name: 'few', base: 'words' } })
    await addItem(server.client, 'words', { word: 'one' })
    bob = await server.issuer.token({ sub: 'bob' })
  })

  afterAll(() => server.close())

  /** A body that no call takes: a refusal by role comes before anybody reads it. */
  const ask = async ([name, call]: [CallName, Call], datasetId: string, token: string) => {
    const response = await server.request(callUrl({ baseUrl: '' }, call, { ...there, datasetId }), {
      method: call.method,
      token,
      ...(call.body !== undefined && {
        body: '{',
        headers: { 'content-type': 'application/json' },
      }),
    })
    const text = await response.text()
    const { code, details } =
      response.status < 400 ? {} : (JSON.parse(text) as { code?: string; details?: object })
    return { name, status: response.status, code, details }
  }

  const datasetOf = (name: CallName) => (name.startsWith('view') ? 'few' : 'words')
  const isAllowed = ({ role }: Call) =>
    role === 'anyone' || includesRole(everyone, role === 'creator' ? 'contributor' : role)

  test.each(calls)('%s is for those alone whose role includes its own', async (name, call) => {
    const { status, code, details } = await ask([name, call], datasetOf(name), bob)
    if (isAllowed(call)) return expect(code).not.toBe('FORBIDDEN')
    expect({ status, code, details }).toEqual({
      status: 403,
      code: 'FORBIDDEN',
      details:
        call.role === 'creator'
          ? { needed: 'creator' }
          : { needed: call.role, role: everyone, owners: [{ subject: 'alice' }] },
    })
  })

  test('a dataset that is not there is answered as such', async () => {
    for (const call of calls) {
      if (!call[1].path.includes('{datasetId}')) continue
      expect((await ask(call, 'nobody', bob)).code).not.toBe('FORBIDDEN')
    }
  })

  test('whoever created a dataset, and an administrator, may do all with it', async () => {
    const carol = await server.issuer.token({ sub: 'carol' })
    const client = clientOf(server, carol)
    if (!includesRole(everyone, 'contributor')) {
      await expect(client.repoCreate({ body: { name: 'own', schema } })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      })
      return
    }
    for (const deletes of [client, server.client]) {
      await client.repoCreate({ body: { name: 'own', schema } })
      expect(await client.datasetRole({ datasetId: 'own' })).toEqual({
        role: 'owner',
        source: 'creator',
        owners: [{ subject: 'carol' }],
      })
      expect(await addItem(client, 'own', { word: 'mine' })).toBeGreaterThan(0)
      await deletes.repoDelete({ datasetId: 'own' })
    }
  })

  test('what somebody may do is said', async () => {
    const client = clientOf(server, bob)
    const role = await client.datasetRole({ datasetId: 'words' })
    expect(role).toEqual({ role: everyone, source: 'everyone', owners: [{ subject: 'alice' }] })
    await expect(client.datasetRole({ datasetId: 'nobody' })).rejects.toMatchObject({
      code: 'DATASET_NOT_FOUND',
    })
    const mayCreate = includesRole(everyone, 'contributor')
    expect(((await client.whoAmI({})).mayCreate ?? true) === mayCreate).toBe(true)
    expect((await server.client.whoAmI({})).mayCreate).toBeUndefined()
    const config = (await (await server.request('/config.json')).json()) as { features: string[] }
    expect(config.features).toContain('roles')
  })

  test('a refusal says in words what is missing, and who can help', async () => {
    const refused = clientOf(server, bob).viewDelete({ datasetId: 'few' })
    await expect(refused).rejects.toMatchObject({
      message: 'your role does not allow this',
      problems: [
        `it takes the role owner on this dataset, and yours is ${everyone}; ask alice, or an administrator`,
      ],
    })
  })

  test('a token of a person may do no more than the person', async () => {
    const { token } = await clientOf(server, bob).tokenCreate({
      body: { name: 'all', scope: 'manage', expiresAt: null },
    })
    const deleted = clientOf(server, token).viewDelete({ datasetId: 'few' })
    await expect(deleted).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  test('curators change metadata, and owners fields', async () => {
    const client = clientOf(server, bob)
    const described = { name: 'words', description: 'Words', schema }
    const wider = [...schema, { name: 'note', type: 'string', length: 10, optional: true }]
    const change = (body: object) =>
      client.repoExtend({ datasetId: 'words', body }).then(
        () => 'done',
        ({ code }: { code: string }) => code,
      )
    const expected = (needed: Role) => (includesRole(everyone, needed) ? 'done' : 'FORBIDDEN')
    expect(await change(described)).toBe(expected('curator'))
    expect(await change({ ...described, schema: wider })).toBe(expected('owner'))
  })
})

function clientOf({ url }: TestServer, token: string): Client {
  return createClient({ baseUrl: url, token: () => token })
}
