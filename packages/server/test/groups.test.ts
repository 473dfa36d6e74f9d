// @module-tag engines

import { createClient, type Client } from '@vitrine/client'
import { fitsPattern } from '@vitrine/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { groupsOf } from '../src/access/groups.ts'
import { readConfig } from '../src/config.ts'
import { startTestServer, type TestServer } from './server.ts'

const schema = [{ name: 'word', type: 'string', length: 10 }]

describe('roles of groups', () => {
  let server: TestServer
  let issued = Math.floor(Date.now() / 1000) - 3600

  beforeAll(async () => {
    server = await startTestServer({
      VITRINE_EVERYONE: 'reader',
      VITRINE_ADMINS: 'alice',
      VITRINE_OIDC_GROUPS_CLAIM: 'groups',
      VITRINE_GROUPS: '/Curators=curator:photos-*, staff = contributor',
    })
    for (const name of ['photos-1', 'notes'])
      await server.client.repoCreate({ body: { name, schema } })
  })

  afterAll(() => server.close())

  /** Signs somebody in, each time later than before. */
  const signIn = async (sub: string, claims: Record<string, unknown>) =>
    clientOf(await server.issuer.token({ sub, iat: (issued += 1), ...claims }))
  const clientOf = (token: string): Client =>
    createClient({ baseUrl: server.url, token: () => token })
  const roleOf = async (client: Client, datasetId: string) => {
    const { role, source, group } = await client.datasetRole({ datasetId })
    return [role, source, ...(group === undefined ? [] : [group])].join(' ')
  }
  const give = (datasetId: string, group: string, role: 'contributor' | 'owner') =>
    server.client.grantSet({ datasetId, body: { group, role } })

  test('count by the configuration on the datasets that it names, whatever their case', async () => {
    const client = await signIn('bob', { groups: ['CURATORS', '/other'] })
    expect(await roleOf(client, 'photos-1')).toBe('curator group curators')
    expect(await roleOf(client, 'notes')).toBe('reader everyone')
    const whoami = await client.whoAmI({})
    expect(whoami).toMatchObject({ groups: ['curators', 'other'], mayCreate: false })
    const { groups } = await client.grantList({ datasetId: 'photos-1' })
    expect(groups).toEqual([
      { group: 'curators', role: 'curator', pattern: 'photos-*' },
      { group: 'staff', role: 'contributor', pattern: '*' },
    ])

    const staff = await signIn('bob', { groups: ['/staff'] })
    expect(await roleOf(staff, 'photos-1')).toBe('contributor group staff')
    expect((await staff.whoAmI({})).mayCreate).toBeUndefined()
    await staff.repoCreate({ body: { name: 'bobs', schema } })
    expect(await roleOf(staff, 'bobs')).toBe('owner creator')
  })

  test('are given by hand, listed and taken back', async () => {
    const client = await signIn('carol', { groups: ['/lab/optics'] })
    const granted = await give('notes', '/Lab/Optics', 'contributor')
    expect(granted).toMatchObject({ group: 'lab/optics', role: 'contributor' })
    expect(await roleOf(client, 'notes')).toBe('contributor group lab/optics')
    expect(await roleOf(client, 'photos-1')).toBe('reader everyone')
    const { grants } = await client.grantList({ datasetId: 'notes' })
    expect(grants).toEqual([granted])
    await vi.waitFor(async () => {
      const groups = await server.client.groupList({ datasetId: 'notes', q: 'optics' })
      expect(groups).toEqual(['lab/optics'])
    })
    await server.client.grantRevoke({ datasetId: 'notes', grantId: granted.id })
    expect(await roleOf(client, 'notes')).toBe('reader everyone')
    const [entry] = await server.client.auditList({ what: 'role-revoked' })
    expect(entry?.details).toEqual({ to: 'group lab/optics', role: 'contributor' })
  })

  test('follow the provider at the next token, and leave alone what was given by hand', async () => {
    const { id } = await server.client.grantSet({
      datasetId: 'notes',
      body: { everyone: true, role: 'reader' },
    })
    await give('notes', 'hand', 'owner')
    for (let change = 0; change < 20; change += 1) {
      const groups = [
        ...(change % 2 === 0 ? ['curators'] : []),
        ...(change % 3 === 0 ? ['hand'] : []),
      ]
      const client = await signIn('dave', { groups })
      const expected = change % 2 === 0 ? 'curator group curators' : 'reader everyone'
      expect(await roleOf(client, 'photos-1')).toBe(expected)
      const byHand = change % 3 === 0 ? 'owner group hand' : 'reader everyone'
      expect(await roleOf(client, 'notes')).toBe(byHand)
    }
    const { grants } = await server.client.grantList({ datasetId: 'notes' })
    expect(grants.map(({ group, role }) => [group, role])).toEqual([
      [undefined, 'reader'],
      ['hand', 'owner'],
    ])
    await server.client.grantRevoke({ datasetId: 'notes', grantId: id })
  })

  test.each([
    ['names where they are', { _claim_names: { groups: 'src1' } }],
    ['says that there are some', { hasgroups: true }],
  ])('do not count, and this is told, where a token %s', async (_, claims) => {
    const client = await signIn('erin', claims)
    expect(await client.whoAmI({})).toMatchObject({ groupsOmitted: true })
    expect(await roleOf(client, 'photos-1')).toBe('reader everyone')
  })

  test('count for a personal access token as of the last sign-in of its owner', async () => {
    const before = await signIn('frank', { groups: ['curators'] })
    const body = { name: 'ci', scope: 'manage', expiresAt: null } as const
    const { token } = await before.tokenCreate({ body })
    const program = clientOf(token)
    const role = () => roleOf(program, 'photos-1')
    await vi.waitFor(async () => expect(await role()).toBe('curator group curators'))
    const after = await signIn('frank', { groups: [] })
    await after.whoAmI({})
    await vi.waitFor(async () => expect(await role()).toBe('reader everyone'))
    // The sign-in of before still lasts, and has the group; it says nothing new of its owner.
    expect(await roleOf(before, 'photos-1')).toBe('curator group curators')
    await server.client.repoCreate({ body: { name: 'photos-2', schema } })
    expect(await roleOf(program, 'photos-2')).toBe('reader everyone')
  })
})

test('a server that reads no groups gives them no roles', async () => {
  const server = await startTestServer({ VITRINE_EVERYONE: 'reader', VITRINE_ADMINS: 'alice' })
  await using _ = { [Symbol.asyncDispose]: () => server.close() }
  await server.client.repoCreate({ body: { name: 'words', schema } })
  const body = { group: 'curators', role: 'owner' } as const
  await expect(server.client.grantSet({ datasetId: 'words', body })).rejects.toMatchObject({
    code: 'REQUEST_INVALID',
    body: { details: { problems: [{ path: ['group'] }] } },
  })
  expect(await server.client.groupList({ datasetId: 'words' })).toEqual([])
  const token = await server.issuer.token({ sub: 'bob', groups: ['curators'] })
  const bob = createClient({ baseUrl: server.url, token: () => token })
  expect((await bob.whoAmI({})).groups).toBeUndefined()
})

test.each([
  ['a list', 'groups', { groups: ['b', '/a', 'A '] }, ['a', 'b']],
  ['one name', 'groups', { groups: 'a' }, ['a']],
  ['nothing', 'groups', {}, []],
  ['a claim within another', 'realm_access.roles', { realm_access: { roles: ['a'] } }, ['a']],
  ['an address', 'https://x.org/groups', { 'https://x.org/groups': ['a'] }, ['a']],
  ['no names', 'groups', { groups: [1, null, {}, '', '/', 'a\0', 'x'.repeat(201)] }, []],
  ['an object', 'groups', { groups: { a: 1 } }, []],
  ['what all objects have', 'constructor.name', {}, []],
])('groups are read from %s', (_, claim, payload, groups) => {
  expect(groupsOf(payload, claim)).toEqual({ groups })
})

test.each([
  ['*', 'any.Name', true],
  ['photos-*', 'photos-1', true],
  ['photos-*', 'photos', false],
  ['*-x', 'a-x', true],
  ['a.b', 'aXb', false],
  ['a*b*c', 'a-b-c', true],
  ['a*b*c', 'a-c', false],
])('the pattern %s and the name %s', (pattern, name, fits) => {
  expect(fitsPattern({ group: 'a', role: 'reader', pattern }, name)).toBe(fits)
})

test.each([
  [{ VITRINE_GROUPS: 'a=owner' }, 'VITRINE_GROUPS needs VITRINE_OIDC_GROUPS_CLAIM'],
  [
    { VITRINE_OIDC_GROUPS_CLAIM: 'groups' },
    'VITRINE_OIDC_GROUPS_CLAIM needs VITRINE_OIDC_AUTHORITY',
  ],
  ...['a', 'a=boss', '=owner', 'a=owner:p q', 'a=owner:'].map((text) => [
    { VITRINE_GROUPS: text },
    'VITRINE_GROUPS must be like',
  ]),
] as [Record<string, string>, string][])('the configuration %o is refused', (env, reason) => {
  expect(() => readConfig(env)).toThrow(reason)
})
