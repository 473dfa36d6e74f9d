// @module-tag engines

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { createClient, sha256, verifyAudit, type AuditHead, type Client } from '@vitrine/client'
import type { AuditEntry } from '@vitrine/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addAccount, removeAccount } from '../src/access/provider/accounts.ts'
import { writeAudit } from '../src/store/audit-log.ts'
import { findings } from './findings.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
/** Administrator. */
let alice: Client
let people = 0

beforeAll(async () => {
  server = await startTestServer({ VITRINE_ADMINS: 'alice', VITRINE_EVERYONE: 'contributor' })
  alice = server.client
})

afterAll(() => server.close())

async function clientOf(claims: Record<string, unknown>): Promise<Client> {
  const token = await server.issuer.token(claims)
  return createClient({ baseUrl: server.url, token: () => token })
}

/** Has a person make a dataset and a token, and be given a role by alice. */
async function addPerson(
  subject = `person-${(people += 1)}`,
  name = `Ümit Doğan ${(people += 1)}`,
): Promise<{ subject: string; name: string; datasetId: string }> {
  const client = await clientOf({ sub: subject, name, preferred_username: `${name} signs in` })
  const datasetId = `made-${(people += 1)}`
  await client.repoCreate({
    body: { name: datasetId, schema: [{ name: 'word', type: 'string', length: 9 }] },
  })
  await client.tokenCreate({ body: { name: 'ci', scope: 'read', expiresAt: null } })
  await alice.repoCreate({
    body: { name: `given-${people}`, schema: [{ name: 'word', type: 'string', length: 9 }] },
  })
  await vi.waitFor(() =>
    alice.grantSet({
      datasetId: `given-${people}`,
      body: { person: subject, role: 'curator' },
    }),
  )
  return { subject, name, datasetId }
}

const erase = (subject: string, by = alice) => by.nameErase({ body: { subject } })
const exported = async () => (await alice.auditExport({})).text()

async function verify(known?: AuditHead) {
  const lines = (await exported()).trim().split('\n')
  async function* entries() {
    for (const line of lines) yield JSON.parse(line) as AuditEntry
  }
  return verifyAudit(entries(), { sha256, known })
}

async function headOf(): Promise<AuditHead> {
  const [{ number, hash } = { number: 0, hash: '' }] = await alice.auditList({ pageSize: 1 })
  return { number, hash }
}

const check = async () =>
  (await findings({ database: server.database, blobs: await server.blobs.open() }))
    .filter(({ where }) => where === 'audit log')
    .map(({ what }) => what)

/** Returns all that the tables hold where names of people can be. */
async function stored(): Promise<string> {
  const tables = ['people', 'audit_log', 'tokens', 'grants', 'datasets', 'imports'] as const
  const rows = await server.database.use(({ reads }) =>
    Promise.all(tables.map((table) => reads.selectFrom(table).selectAll().execute())),
  )
  return JSON.stringify(rows)
}

test('a name that is erased is nowhere, and the chain leads on from where it was', async () => {
  const { subject, name, datasetId } = await addPerson('auth0|an "odd" %_ one')
  const other = await addPerson()
  const known = await headOf()
  expect(await stored()).toContain(name)

  expect(await erase(subject)).toEqual({ entries: 3 })
  expect(await stored()).not.toContain(name)
  expect(await exported()).not.toContain(name)
  expect(await exported()).toContain(other.name)
  const { createdBy } = await alice.datasetProvenance({ datasetId })
  expect(createdBy).toEqual({ subject })
  expect(await alice.auditList({ who: name })).toEqual([])
  expect((await alice.auditList({ who: subject })).map(({ by }) => by)).toEqual([
    { subject },
    { subject },
  ])
  const [granted] = await alice
    .auditList({ what: 'role-granted', pageSize: 2 })
    .then((all) => all.filter(({ details }) => details?.['to'] === subject))
  expect(granted!.details).toEqual({ to: subject, role: 'curator' })
  expect(await verify(known)).toEqual({ head: await headOf() })
  expect(await check()).toEqual([])
})

test('the act is recorded, with a proof of what was left', async () => {
  const { subject } = await addPerson()
  await erase(subject)
  const [act] = await alice.auditList({ pageSize: 1 })
  expect(act).toMatchObject({
    what: 'name-erased',
    by: { subject: 'alice' },
    details: { subject, entries: 3 },
  })
  expect(Object.values(act!.remainders!)).toEqual(
    Array.from({ length: 3 }, () => expect.stringMatching(/^[0-9a-f]{64}$/)),
  )
})

test('two names of one entry are erased, one after the other', async () => {
  const boss = { sub: 'boss', name: 'The Boss' }
  const client = await clientOf(boss)
  const { subject, name } = await addPerson()
  await client.repoCreate({
    body: { name: 'of-boss', schema: [{ name: 'word', type: 'string', length: 9 }] },
  })
  await client.grantSet({ datasetId: 'of-boss', body: { person: subject, role: 'owner' } })
  await erase('boss')
  await erase(subject)
  const text = await exported()
  expect(text).not.toContain('The Boss')
  expect(text).not.toContain(name)
  expect(await verify()).toEqual({ head: await headOf() })
  expect(await check()).toEqual([])
})

test('administrators erase their own name, and it does not come back with that', async () => {
  const own = await clientOf({ sub: 'alice', name: 'Alice Liddell' })
  await own.repoCreate({
    body: { name: 'of-alice', schema: [{ name: 'word', type: 'string', length: 9 }] },
  })
  expect(await exported()).toContain('Alice Liddell')
  await erase('alice', own)
  expect(await exported()).not.toContain('Alice Liddell')
  expect(await verify()).toEqual({ head: await headOf() })
})

test('many entries are proven by several', async () => {
  const key = `${server.issuer.issuer} busy`
  await server.database.use(({ write }) =>
    write(async (transaction) => {
      for (let number = 0; number < 1001; number += 1) {
        await writeAudit(transaction, {
          what: 'token-revoked',
          by: { key, name: 'Busy Bee' },
          details: { token: number },
        })
      }
    }),
  )
  expect(await erase('busy')).toEqual({ entries: 1001 })
  const acts = await alice.auditList({ what: 'name-erased', pageSize: 3 })
  expect(acts.map(({ details }) => details!['entries'])).toEqual([1, 500, 500])
  expect(await exported()).not.toContain('Busy Bee')
  expect(await verify()).toEqual({ head: await headOf() })
  expect(await check()).toEqual([])
})

test('whoever is unknown, or may not, erases nothing', async () => {
  const { subject } = await addPerson()
  await addPerson('two words')
  const before = await exported()
  const mallory = await clientOf({ sub: 'mallory' })
  await expect(erase(subject, mallory)).rejects.toMatchObject({ code: 'ADMINISTRATOR_REQUIRED' })
  for (const unknown of ['nobody', ' ', '%', 'words', subject.slice(1)]) {
    await expect(erase(unknown)).rejects.toMatchObject({ status: 404, code: 'PERSON_NOT_FOUND' })
  }
  for (const body of [{}, { subject: '' }, { subject: 1 }, { subject: 'a\0' }, { subject, x: 1 }]) {
    await expect(alice.nameErase({ body })).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
    })
  }
  expect(await exported()).toBe(before)
  await erase(subject)
  await expect(erase(subject)).rejects.toMatchObject({ code: 'PERSON_NOT_FOUND' })
})

test('an account keeps its name until it is removed', async () => {
  const password = 'a long password of nobody'
  await server.database.use((store) => addAccount(store, { username: 'ada', password }))
  const [added] = await alice.auditList({ what: 'account-added' })
  const subject = added!.details!['subject'] as string
  await expect(erase(subject)).rejects.toMatchObject({ code: 'REQUEST_INVALID' })
  await server.database.use((store) => removeAccount(store, 'ada'))
  expect(await erase(subject)).toEqual({ entries: 2 })
  const [removed] = await alice.auditList({ what: 'account-removed' })
  expect(removed!.details).toEqual({ account: subject })
  expect(await check()).toEqual([])
})

test('an entry of an account from before has no subject, and is found by the name', async () => {
  await server.database.use(({ write }) =>
    write(async (transaction) => {
      const key = `${server.issuer.issuer} of-old`
      await writeAudit(transaction, { what: 'account-added', details: { account: 'oldie' } })
      await writeAudit(transaction, { what: 'token-revoked', by: { key, name: 'oldie' } })
    }),
  )
  expect(await erase('of-old')).toEqual({ entries: 2 })
  expect(await exported()).not.toContain('oldie')
  expect(await verify()).toEqual({ head: await headOf() })
})

test('what is altered after or without an erasure is named', async () => {
  const { subject } = await addPerson()
  await erase(subject)
  const [act] = await alice.auditList({ pageSize: 1 })
  const [first, second] = Object.keys(act!.remainders!).map(Number)
  const alter = (statement: ReturnType<typeof sql>) =>
    server.database.use(({ write }) => write((transaction) => statement.execute(transaction)))
  const number = act!.number
  await alter(
    sql`update audit_log set entry = replace(entry, 'dataset-created', 'dataset-deleted'),
      what = 'dataset-deleted' where number = ${first}`,
  )
  const faultOf = (of: number) => `entry ${of} is not what was written`
  expect(await verify()).toEqual({ fault: faultOf(first!) })
  expect(await check()).toEqual([faultOf(first!)])

  const left = act!.remainders![String(second)]!
  await alter(
    sql`update audit_log set entry = replace(entry, ${left}, ${'0'.repeat(64)})
      where number = ${number}`,
  )
  expect(await check()).toEqual([first!, number, second!].map(faultOf).toSorted())
})

test('the program of the documents verifies an export with erasures, and no other', async () => {
  const document = await readFile(new URL('../../../docs/audit.md', import.meta.url), 'utf8')
  const [, program] = /```python\n([\s\S]*?)```/.exec(document)!
  const run = (text: string) => {
    const started = promisify(execFile)('python3', ['-c', program!])
    started.child.stdin!.end(text)
    return started
  }
  const own = await startTestServer({ VITRINE_ADMINS: 'alice' })
  try {
    const token = await own.issuer.token({ sub: 'grace', name: 'Grace' })
    const grace = createClient({ baseUrl: own.url, token: () => token })
    await grace.repoCreate({
      body: { name: 'words', schema: [{ name: 'word', type: 'string', length: 9 }] },
    })
    await own.client.nameErase({ body: { subject: 'grace' } })
    const text = await (await own.client.auditExport({})).text()
    const [last] = await own.client.auditList({ pageSize: 1 })
    expect((await run(text)).stdout).toBe(`2 ${last!.hash}\n`)
    await expect(run(text.replace('"grace"', '"bob"'))).rejects.toThrow('AssertionError')
    await expect(run(text.replace('dataset-created', 'dataset-x'))).rejects.toThrow(
      'AssertionError: [1]',
    )
    await expect(run(text.split('\n')[0]!)).rejects.toThrow('AssertionError: [1]')
  } finally {
    await own.close()
  }
})
