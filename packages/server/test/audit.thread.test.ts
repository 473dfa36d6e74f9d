// @module-tag engines

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { createClient, type Client } from '@vitrine/client'
import type { AuditEntry, TokenScope } from '@vitrine/contract'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findings } from './findings.ts'
import { admin, startLocalServer } from './local-server.ts'
import { startTestServer, type TestServer } from './server.ts'
import { until } from './until.ts'

let server: TestServer
let grace: Client

beforeEach(async () => {
  server = await startTestServer({ VITRINE_ADMINS: 'root, alice' }, { restarts: true })
  grace = await clientOf({ sub: 'grace', name: 'Grace' })
})
afterEach(() => server.close())

async function clientOf(claims: Record<string, unknown>) {
  const token = await server.issuer.token(claims)
  return createClient({ baseUrl: server.url, token: () => token })
}

const word = { name: 'word', type: 'string', length: 20 }
const length = { name: 'length', type: 'integer', optional: true }

async function fill(): Promise<void> {
  await grace.repoCreate({ body: { name: 'words', schema: [word] } })
  await grace.repoCreate({ body: { name: 'words', schema: [word] } })
  const body = '{"word":"a"}\n{"word":"b"}\n'
  await grace.importBegin({ datasetId: 'words', format: 'ndjson', key: 'two', body })
  const place = { datasetId: 'words', importKey: 'two', wait: 60 }
  await until(async () => (await grace.importGet(place)).state === 'done')
  await server.client.repoExtend({
    datasetId: 'words',
    body: { name: 'words', description: 'some', schema: [{ ...word, length: 30 }, length] },
  })
  await server.client.viewCreate({ body: { name: 'few', base: 'words', limit: 1 } })
  await grace.viewDelete({ datasetId: 'few' })
}

const lines = async (client = server.client, filters = {}) =>
  (await (await client.auditExport(filters)).text()).split('\n').filter(Boolean)
const check = async () =>
  (await findings({ database: server.database, blobs: await server.blobs.open() }))
    .filter(({ kind }) => kind === 'damage')
    .map(({ where, what }) => `${where}: ${what}`)
const alter = (statement: string) =>
  server.database.use(({ write }) =>
    write((transaction) => sql.raw(statement).execute(transaction)),
  )

test('the audit log lists changes to datasets with their author, in order', async () => {
  await fill()
  const entries = await server.client.auditList({})
  const told = entries
    .toReversed()
    .map(({ number, what, by, dataset, details }) => [
      number,
      by?.name ?? by?.subject,
      what,
      dataset?.name,
      details,
    ])
  const repo = { key: 'two', items: 2 }
  const changes = ['new description', 'word: length 30 instead of 20', 'length: new integer']
  expect(told).toEqual([
    [1, 'Grace', 'dataset-created', 'words', undefined],
    [2, 'Grace', 'import-published', 'words', repo],
    [3, 'alice', 'schema-extended', 'words', { changes }],
    [4, 'alice', 'dataset-created', 'few', { base: 'words' }],
    [5, 'Grace', 'dataset-deleted', 'few', undefined],
  ])
  expect(entries.at(-1)).toMatchObject({
    by: { subject: 'grace', name: 'Grace' },
    dataset: { name: 'words', kind: 'repo' },
    previous: '0'.repeat(64),
  })

  const { createdBy, changes: done } = await grace.datasetProvenance({ datasetId: 'words' })
  expect(createdBy).toEqual({ subject: 'grace', name: 'Grace' })
  expect(done!.map(({ what, by }) => [what, by?.subject])).toEqual([
    ['schema-extended', 'alice'],
    ['import-published', 'grace'],
  ])
  expect(await check()).toEqual([])
})

test('personal access tokens are told of, and not what they are', async () => {
  const made = await grace.tokenCreate({
    body: { name: 'pipeline', scope: 'add', expiresAt: null },
  })
  await grace.tokenRevoke({ tokenId: made.id })
  const [revoked, created] = await server.client.auditList({})
  expect([created!.what, created!.details]).toEqual([
    'token-created',
    { token: made.id, name: 'pipeline', scope: 'add' },
  ])
  expect([revoked!.what, revoked!.details]).toEqual(['token-revoked', { token: made.id }])
  expect((await lines()).join('')).not.toContain(made.token)
})

test('a name in the log is that of then', async () => {
  await grace.repoCreate({ body: { name: 'words', schema: [word] } })
  const married = await clientOf({ sub: 'grace', name: 'Grace Hopper' })
  await married.repoDelete({ datasetId: 'words' })
  const names = (await server.client.auditList({})).map(({ by }) => by?.name)
  expect(names).toEqual(['Grace Hopper', 'Grace'])
})

test('calls that fail are not in the audit log', async () => {
  await fill()
  await expect(grace.repoCreate({ body: { name: 'words', schema: [length] } })).rejects.toThrow()
  await expect(grace.viewDelete({ datasetId: 'few' })).rejects.toThrow()
  expect(await lines()).toHaveLength(5)
})

test('a program of ten lines that is not ours verifies an export', async () => {
  await fill()
  const program = `
import hashlib, json, sys
number, previous = 0, "0" * 64
for line in sys.stdin:
    entry = json.loads(line)
    stored = entry.pop("hash")
    text = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(text.encode()).hexdigest() == stored, entry["number"]
    assert entry["number"] == number + 1 and entry["previous"] == previous, entry["number"]
    number, previous = entry["number"], stored
print(number, previous)`
  const run = (exported: string[]) => {
    const started = promisify(execFile)('python3', ['-c', program])
    started.child.stdin!.end(`${exported.join('\n')}\n`)
    return started
  }
  const exported = await lines()
  const last = JSON.parse(exported.at(-1)!) as AuditEntry
  expect((await run(exported)).stdout).toBe(`5 ${last.hash}\n`)
  await expect(run(exported.toSpliced(2, 1))).rejects.toThrow('AssertionError: 4')
  await expect(run(exported.map((line) => line.replace('"alice"', '"mallory"')))).rejects.toThrow(
    'AssertionError: 3',
  )

  // The same here, where there is no Python.
  let previous = '0'.repeat(64)
  for (const line of exported) {
    const { hash, ...entry } = JSON.parse(line) as AuditEntry
    expect(entry.previous).toBe(previous)
    const text = line.replace(`"hash":"${hash}",`, '')
    expect(createHash('sha256').update(text).digest('hex')).toBe(hash)
    previous = hash
  }
})

test.each([
  [
    'rewritten',
    `update audit_log set entry = replace(entry, 'alice', 'mallory') where number = 3`,
    'entry 3 is not what was written',
  ],
  [
    'given another name in a column',
    `update audit_log set name = 'Mallory' where number = 1`,
    'entry 1 is not what was written',
  ],
  ['removed from the midst', 'delete from audit_log where number = 2', 'entry 2 is missing'],
  ['removed from the end', 'delete from audit_log where number = 5', 'entry 5 is missing'],
])('an entry that was %s is named', async (_, statement, what) => {
  await fill()
  await alter(statement)
  expect(await check()).toContain(`audit log: ${what}`)
})

test('entries in another order, and hashes that were made to fit, are named', async () => {
  await fill()
  await alter('update audit_log set number = -number where number in (2, 3)')
  await alter('update audit_log set number = 5 + number where number < 0')
  expect(await check()).toContain('audit log: entry 2 is not what was written')
  expect(await check()).toContain('audit log: entry 3 is not what was written')
  await server.database.use(({ write }) =>
    write(async (transaction) => {
      const row = await transaction
        .selectFrom('audit_log')
        .select('entry')
        .where('number', '=', 5)
        .executeTakeFirstOrThrow()
      const entry = row.entry.replace('few', 'all')
      const hash = createHash('sha256').update(entry).digest('hex')
      await transaction
        .updateTable('audit_log')
        .set({ entry, hash, dataset: 'all' })
        .where('number', '=', 5)
        .execute()
    }),
  )
  expect(await check()).toContain('audit log: entry 5 is not what was written')
})

test('entries are filtered and come page by page', async () => {
  await fill()
  const numbers = async (asked: object) =>
    (await server.client.auditList(asked)).map(({ number }) => number)
  expect(await numbers({ who: 'Grace' })).toEqual([5, 2, 1])
  expect(await numbers({ who: 'grace', dataset: 'words' })).toEqual([2, 1])
  expect(await numbers({ what: 'dataset-created' })).toEqual([4, 1])
  expect(await numbers({ pageSize: 2 })).toEqual([5, 4])
  expect(await numbers({ pageSize: 2, before: 4 })).toEqual([3, 2])
  await alter('update audit_log set at = 1767225600000 where number < 4')
  expect(await numbers({ from: '2026-01-01', to: '2026-01-01T00:00:00.001Z' })).toEqual([3, 2, 1])
  expect(await numbers({ to: '2026-01-01' })).toEqual([])
  expect(await lines(server.client, { who: 'alice' })).toHaveLength(2)
  for (const query of ['from=yesterday', 'to=2026-13-01', 'before=0', 'pageSize=0', 'why=x']) {
    expect((await server.request(`/api/audit?${query}`)).status, query).toBe(400)
  }
})

test('only administrators see the log, by subject or by the name that they sign in by', async () => {
  const isOne = async (claims: Record<string, unknown>) => {
    const client = await clientOf(claims)
    const { isAdministrator } = await client.whoAmI({})
    const seen = client.auditList({})
    if (isAdministrator) await seen
    else {
      await expect(seen).rejects.toMatchObject({ status: 403, code: 'ADMINISTRATOR_REQUIRED' })
      await expect(client.auditExport({})).rejects.toMatchObject({ status: 403 })
    }
    return isAdministrator
  }
  expect(await isOne({ sub: 'alice' })).toBe(true)
  expect(await isOne({ sub: 'x', preferred_username: 'root' })).toBe(true)
  expect(await isOne({ sub: 'x', name: 'root' })).toBe(false)
  expect(await isOne({ sub: 'admin', preferred_username: 'admin' })).toBe(false)
  expect(await grace.whoAmI({})).toEqual({
    subject: 'grace',
    name: 'Grace',
    isAdministrator: false,
  })
})

test('the account `admin` of the built-in provider is one, and accounts are told of', async () => {
  const local = await startLocalServer()
  try {
    const { access_token: token } = await local.visitor().signIn(admin)
    const client = createClient({ baseUrl: local.publicUrl, token: () => token })
    expect(await client.whoAmI({})).toMatchObject({ name: 'admin', isAdministrator: true })
    const withToken = async (scope: TokenScope) => {
      const made = await client.tokenCreate({ body: { name: scope, scope, expiresAt: null } })
      return createClient({ baseUrl: local.publicUrl, token: () => made.token })
    }
    const manager = await withToken('manage')
    expect(await manager.whoAmI({})).toMatchObject({ name: 'admin', isAdministrator: true })
    expect((await manager.auditList({})).map(({ what }) => what)).toContain('token-created')
    const reader = await withToken('read')
    await expect(reader.auditList({})).rejects.toMatchObject({ code: 'SCOPE_INSUFFICIENT' })
  } finally {
    await local.close()
  }
})

test('a personal token carries the name that its maker signed in by', async () => {
  const token = async (claims: Record<string, unknown>) => {
    const maker = await clientOf(claims)
    const made = await maker.tokenCreate({
      body: { name: 'ci', scope: 'manage', expiresAt: null },
    })
    return createClient({ baseUrl: server.url, token: () => made.token })
  }
  const root = await token({ sub: 'x', preferred_username: 'root' })
  expect(await root.whoAmI({})).toMatchObject({ subject: 'x', isAdministrator: true })
  await root.auditList({})
  const other = await token({ sub: 'y', name: 'root', preferred_username: 'other' })
  expect(await other.whoAmI({})).toMatchObject({ isAdministrator: false })
  await expect(other.auditList({})).rejects.toMatchObject({ code: 'ADMINISTRATOR_REQUIRED' })
})

test('entries that are written at once follow each other', async () => {
  const names = Array.from({ length: 30 }, (_, number) => `words-${number}`)
  await Promise.all(names.map((name) => grace.repoCreate({ body: { name, schema: [word] } })))
  expect(await lines()).toHaveLength(30)
  expect(await check()).toEqual([])
})
