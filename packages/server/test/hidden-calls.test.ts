// @module-tag engines

import { addItem, callUrl, createClient } from '@vitrine/client'
import { type Call, type CallName, allows, api, includesRole, roles } from '@vitrine/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bodies, there } from './call-inputs.ts'
import { ownOrigin } from './own-origin.ts'
import { startTestServer, type TestServer } from './server.ts'

/** Every call about a dataset, by everybody, of one that is there and others are not to know of, absent, or deleted. */

const schema = [{ name: 'name', type: 'string', length: 20 }]
const calls = (Object.entries(api) as [CallName, Call][]).filter(([, { path }]) =>
  path.includes('{datasetId}'),
)
const people = ['nobody', ...roles, 'depositor', 'token', 'token elsewhere'] as const
const scopes = { depositor: 'deposit', token: 'manage', 'token elsewhere': 'manage' } as const
/** Those for whom what is there is not: the last one came with an owner's token for another dataset. */
const strangers = ['nobody', 'token elsewhere']

let server: TestServer
const tokens = new Map<string, string>()
/** Body of `originAdd`. */
let signed: string

beforeAll(async () => {
  server = await startTestServer({ VITRINE_EVERYONE: 'none', VITRINE_ADMINS: 'alice' })
  const { client, issuer, url } = server
  for (const sub of ['nobody', ...roles, 'depositor']) {
    const token = await issuer.token({ sub })
    const own = createClient({ baseUrl: url, token: () => token })
    await own.whoAmI({})
    const deposit = { name: 'pipeline', scope: 'deposit', expiresAt: null } as const
    tokens.set(sub, sub === 'depositor' ? (await own.tokenCreate({ body: deposit })).token : token)
  }
  for (const name of ['people', 'gone']) {
    await client.repoCreate({ body: { name, schema } })
    await addItem(client, name, { name: 'Ada' })
    await client.viewCreate({ body: { name: `${name}-view`, base: name } })
    for (const datasetId of [name, `${name}-view`]) {
      for (const person of people) {
        if (person === 'nobody' || person.startsWith('token')) continue
        const role = person === 'depositor' ? 'contributor' : person
        await vi.waitFor(() => client.grantSet({ datasetId, body: { person, role } }))
      }
    }
  }
  await client.repoCreate({ body: { name: 'elsewhere', schema } })
  const limited = async (datasets: string[]) => {
    const body = { name: 'ci', scope: 'manage', expiresAt: null, datasets }
    return (await client.tokenCreate({ body })).token
  }
  tokens.set('token', await limited(['people', 'people-view', 'gone', 'gone-view']))
  tokens.set('token elsewhere', await limited(['elsewhere']))
  signed = JSON.stringify((await ownOrigin(client, 'people')).body)
  await client.viewDelete({ datasetId: 'gone-view' })
  await client.repoDelete({ datasetId: 'gone' })
})

afterAll(() => server.close())

/** All of a reply but what no two replies share. */
async function ask([name, call]: [CallName, Call], dataset: string, person: string) {
  const datasetId = name.startsWith('view') ? `${dataset}-view` : dataset
  const body = bodyFor(name)
  const isJson = typeof call.body === 'object'
  const response = await server.request(callUrl({ baseUrl: '' }, call, { ...there, datasetId }), {
    method: call.method,
    token: tokens.get(person)!,
    ...(body !== undefined && { body }),
    headers: isJson ? { 'content-type': 'application/json' } : {},
  })
  const text = (await response.text()).replaceAll(dataset, 'NAME')
  const headers = [...response.headers].filter(([header]) => !differing.includes(header))
  return { status: response.status, text, headers }
}

function bodyFor(name: CallName): BodyInit | undefined {
  if (name === 'originAdd') return signed
  return name in bodies ? bodies[name as keyof typeof bodies]() : undefined
}

const differing = ['date', 'x-request-id', 'content-length']

describe.each(calls)('%s', (name, call) => {
  test.each(people)('of what is not there, by %s', async (person) => {
    const absent = await ask([name, call], 'nothing', person)
    expect(await ask([name, call], 'gone', person)).toEqual(absent)
    const isInScope =
      !(person in scopes) || allows(scopes[person as keyof typeof scopes], call.scope)
    expect(absent.status).toBe(isInScope ? 404 : 403)
  })

  test.each(strangers)('of what one may not read, as of what is not there, by %s', async (who) => {
    expect(await ask([name, call], 'people', who)).toEqual(await ask([name, call], 'nothing', who))
  })
})

test('what one may read and not do is refused as that', async () => {
  for (const person of roles) {
    for (const [name, call] of calls) {
      if (call.role === 'anyone' || call.role === 'creator') continue
      if (includesRole(person, call.role)) continue
      const { status } = await ask([name, call], 'people', person)
      expect(status, `${name} by a ${person}`).toBe(403)
    }
  }
})
