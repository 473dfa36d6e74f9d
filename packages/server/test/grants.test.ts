// @module-tag engines

import { addItem, createClient, deleteDataset, type Client } from '@vitrine/client'
import type { NewGrant } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'

const schema = [{ name: 'word', type: 'string', length: 10 }]

let server: TestServer
/** Creates all datasets, and is no administrator. */
let alice: Client
let bob: Client
let carol: Client
let admin: Client

beforeAll(async () => {
  const env = { VITRINE_EVERYONE: 'contributor', VITRINE_ADMINS: 'root' }
  server = await startTestServer(env, { restarts: true })
  alice = server.client
  const clientOf = async (sub: string, name: string) => {
    const token = await server.issuer.token({ sub, name })
    return createClient({ baseUrl: server.url, token: () => token })
  }
  bob = await clientOf('bob', 'Bob Bauer')
  carol = await clientOf('carol', 'Carol Bäcker')
  admin = await clientOf('root', 'Root')
  await create('people')
  for (const client of [bob, carol, admin]) await client.whoAmI({})
  // They are noted in the background.
  await vi.waitFor(async () => {
    expect(await namesFor('')).toEqual(['Bob Bauer', 'Carol Bäcker', 'Root', 'alice'])
  })
})

afterAll(() => server.close())

const create = (name: string) => alice.repoCreate({ body: { name, schema } })
const namesFor = async (q: string) =>
  (await alice.personList({ datasetId: 'people', q })).map(({ name, subject }) => name ?? subject)
const give = (datasetId: string, body: NewGrant, by = alice) => by.grantSet({ datasetId, body })
const roleOf = async (client: Client, datasetId: string) => {
  const { role, source } = await client.datasetRole({ datasetId })
  return `${role} by ${source}`
}
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    ({ code }: { code: string }) => code,
  )
const rows = new Blob(['{"word":"two"}'])
const importInto = (client: Client, datasetId: string) =>
  codeOf(client.importBegin({ datasetId, format: 'ndjson', body: rows }))

test('a person has the role that was given last, from the next call on', async () => {
  await create('words')
  expect(await roleOf(bob, 'words')).toBe('contributor by everyone')
  expect(await importInto(bob, 'words')).toBe('FORBIDDEN')

  const granted = await give('words', { person: 'bob', role: 'curator' })
  expect(granted).toEqual({
    id: expect.any(Number),
    person: { subject: 'bob', name: 'Bob Bauer' },
    role: 'curator',
    by: { subject: 'alice' },
    since: expect.stringMatching(/^\d{4}-/),
  })
  expect(await roleOf(bob, 'words')).toBe('curator by grant')
  expect(await importInto(bob, 'words')).toBe('done')
  expect(await roleOf(carol, 'words')).toBe('contributor by everyone')

  // Roles add up: one that is less than what everybody has takes nothing away.
  expect((await give('words', { person: 'bob', role: 'reader' })).id).toBe(granted.id)
  expect(await roleOf(bob, 'words')).toBe('contributor by everyone')

  await give('words', { person: 'bob', role: 'curator' })
  await alice.grantRevoke({ datasetId: 'words', grantId: granted.id })
  expect(await roleOf(bob, 'words')).toBe('contributor by everyone')
  expect(await importInto(bob, 'words')).toBe('FORBIDDEN')
})

test('what is given to everybody replaces what the configuration says', async () => {
  await create('shut')
  await give('shut', { everyone: true, role: 'reader' })
  expect(await roleOf(bob, 'shut')).toBe('reader by everyone')
  expect(await codeOf(addItem(bob, 'shut', { word: 'one' }))).toBe('FORBIDDEN')
  await give('shut', { person: 'bob', role: 'contributor' })
  expect(await codeOf(addItem(bob, 'shut', { word: 'one' }))).toBe('done')

  const { id } = await give('shut', { everyone: true, role: 'curator' })
  expect(await importInto(carol, 'shut')).toBe('done')
  await alice.grantRevoke({ datasetId: 'shut', grantId: id })
  expect(await roleOf(carol, 'shut')).toBe('contributor by everyone')
})

test('owners give roles, may be several, and are named to whoever may not do something', async () => {
  await create('shared')
  await give('shared', { person: 'bob', role: 'curator' })
  expect(await codeOf(give('shared', { person: 'carol', role: 'curator' }, bob))).toBe('FORBIDDEN')
  await give('shared', { person: 'bob', role: 'owner' })
  await give('shared', { person: 'carol', role: 'curator' }, bob)
  await expect(carol.repoDelete({ datasetId: 'shared' })).rejects.toMatchObject({
    problems: [
      'it takes the role owner on this dataset, and yours is curator; ask alice or Bob Bauer, or an administrator',
    ],
  })
  // Whoever created a dataset stays its owner, and so do administrators.
  await give('shared', { person: 'alice', role: 'reader' }, bob)
  expect(await roleOf(alice, 'shared')).toBe('owner by creator')
  expect(await roleOf(admin, 'shared')).toBe('owner by administrator')
  await bob.repoDelete({ datasetId: 'shared' })
})

test('everybody who reads a dataset sees who may do what on it', async () => {
  await create('listed')
  await give('listed', { person: 'bob', role: 'owner' })
  await give('listed', { everyone: true, role: 'reader' })
  await give('listed', { person: 'carol', role: 'contributor' }, bob)
  const { grants, ...access } = await carol.grantList({ datasetId: 'listed' })
  expect(access).toEqual({ everyone: 'contributor', creator: { subject: 'alice' }, groups: [] })
  const numbered = { id: expect.any(Number), since: expect.any(String) }
  const bobAs = { subject: 'bob', name: 'Bob Bauer' }
  const carolAs = { subject: 'carol', name: 'Carol Bäcker' }
  expect(grants).toEqual([
    { ...numbered, everyone: true, role: 'reader', by: { subject: 'alice' } },
    { ...numbered, person: bobAs, role: 'owner', by: { subject: 'alice' } },
    { ...numbered, person: carolAs, role: 'contributor', by: bobAs },
  ])
  const second = await carol.grantList({ datasetId: 'listed', page: 1, pageSize: 1 })
  expect(second.grants).toEqual(grants.slice(1, 2))
})

test('people are found by a part of their names, or by their subject', async () => {
  expect(await namesFor('BACK')).toEqual(['Carol Bäcker'])
  expect(await namesFor('b')).toEqual(['Bob Bauer', 'Carol Bäcker'])
  expect(await namesFor('root')).toEqual(['Root'])
  expect(await namesFor('nobody')).toEqual([])
  expect(await namesFor('%')).toEqual([])
  expect(await codeOf(namesFor('b\0b'))).toBe('QUERY_INVALID')
  await expect(bob.personList({ datasetId: 'people' })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  })
})

test.each([
  ['nobody', {}, 'REQUEST_INVALID'],
  ['two at once', { person: 'bob', everyone: true, role: 'reader' }, 'REQUEST_INVALID'],
  ['no role', { person: 'bob' }, 'REQUEST_INVALID'],
  ['a role that is none', { person: 'bob', role: 'boss' }, 'REQUEST_INVALID'],
  ['somebody unknown', { person: 'mallory', role: 'reader' }, 'PERSON_NOT_FOUND'],
  ['a subject without a letter', { person: '', role: 'reader' }, 'PERSON_NOT_FOUND'],
  ['a subject that cannot be', { person: 'b\0b', role: 'reader' }, 'REQUEST_INVALID'],
])('a grant to %s is refused', async (_, body, code) => {
  const before = await alice.grantList({ datasetId: 'people' })
  expect(await codeOf(give('people', body as NewGrant))).toBe(code)
  expect(await alice.grantList({ datasetId: 'people' })).toEqual(before)
})

test('a grant is taken back on its own dataset alone', async () => {
  await create('one')
  await create('other')
  const { id } = await give('one', { person: 'bob', role: 'curator' })
  const revoke = (datasetId: string) => codeOf(alice.grantRevoke({ datasetId, grantId: id }))
  expect(await revoke('other')).toBe('GRANT_NOT_FOUND')
  expect(await roleOf(bob, 'one')).toBe('curator by grant')
  expect(await revoke('one')).toBe('done')
  expect(await revoke('one')).toBe('GRANT_NOT_FOUND')
})

test('each change is recorded once, and the same again is none', async () => {
  await create('told')
  await give('told', { person: 'bob', role: 'reader' })
  const first = await give('told', { person: 'bob', role: 'curator' })
  expect(await give('told', { person: 'bob', role: 'curator' }, admin)).toEqual(first)
  await give('told', { everyone: true, role: 'reader' })
  await alice.grantRevoke({ datasetId: 'told', grantId: first.id })
  const entries = await admin.auditList({ dataset: 'told' })
  expect(entries.map(({ what, by, details }) => ({ what, by: by?.subject, ...details }))).toEqual([
    { what: 'role-revoked', by: 'alice', to: 'Bob Bauer', subject: 'bob', role: 'curator' },
    { what: 'role-granted', by: 'alice', to: 'everyone', role: 'reader' },
    {
      what: 'role-granted',
      by: 'alice',
      to: 'Bob Bauer',
      subject: 'bob',
      role: 'curator',
      'instead of': 'reader',
    },
    { what: 'role-granted', by: 'alice', to: 'Bob Bauer', subject: 'bob', role: 'reader' },
    { what: 'dataset-created', by: 'alice' },
  ])
})

test('roles rest with a deleted dataset, and another of its name has none', async () => {
  await create('resting')
  await give('resting', { person: 'bob', role: 'owner' })
  await deleteDataset(alice, await alice.datasetGet({ datasetId: 'resting' }))
  await create('resting')
  expect(await roleOf(bob, 'resting')).toBe('contributor by everyone')
  const [deleted] = await alice.deletedList({ name: 'resting' })
  await alice.deletedRestore({ deletedId: deleted!.id, body: { name: 'rested' } })
  expect(await roleOf(bob, 'rested')).toBe('owner by grant')

  await alice.repoDelete({ datasetId: 'rested' })
  await alice.deletedRemove({ deletedId: deleted!.id })
  const left = await server.database.use(({ reads }) =>
    reads.selectFrom('grants').selectAll().where('dataset_id', '=', deleted!.id).execute(),
  )
  expect(left).toEqual([])
})

test('what an administrator deleted is taken back by its creator and its owners', async () => {
  await create('lost')
  await give('lost', { person: 'bob', role: 'owner' })
  await give('lost', { person: 'carol', role: 'curator' })
  const taking = async (client: Client) => {
    await admin.repoDelete({ datasetId: 'lost' })
    const [deleted] = await client.deletedList({ name: 'lost' })
    return client.deletedRestore({ deletedId: deleted!.id, body: {} })
  }
  expect((await taking(alice)).name).toBe('lost')
  expect((await taking(bob)).name).toBe('lost')
  await admin.repoDelete({ datasetId: 'lost' })
  expect(await carol.deletedList({ name: 'lost' })).toEqual([])
  const [deleted] = await bob.deletedList({ name: 'lost' })
  const theirs = { deletedId: deleted!.id }
  expect(await codeOf(carol.deletedRestore({ ...theirs, body: {} }))).toBe('DELETED_NOT_FOUND')
  expect(await codeOf(carol.deletedRemove(theirs))).toBe('DELETED_NOT_FOUND')
  expect(await codeOf(bob.deletedRemove(theirs))).toBe('done')
})

test('a view has roles of its own', async () => {
  await create('base')
  await alice.viewCreate({ body: { name: 'few', base: 'base' } })
  await give('base', { person: 'bob', role: 'owner' })
  expect(await codeOf(bob.viewDelete({ datasetId: 'few' }))).toBe('FORBIDDEN')
  await give('few', { person: 'bob', role: 'owner' })
  expect(await codeOf(bob.viewDelete({ datasetId: 'few' }))).toBe('done')
})

test('roles are kept over a restart', async () => {
  await create('kept')
  await give('kept', { person: 'bob', role: 'curator' })
  await server.restart()
  expect(await roleOf(bob, 'kept')).toBe('curator by grant')
  // Whoever was noted before is noted again by the new process only where something changed.
  expect(await namesFor('bob')).toEqual(['Bob Bauer'])
})
