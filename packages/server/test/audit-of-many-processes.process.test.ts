// @module-tag whole

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@vitrine/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRepo } from '../src/datasets/create-repo.ts'
import { startChildServer } from './child-server.ts'
import { findings } from './findings.ts'
import { startIssuer, type Issuer } from './issuer.ts'
import { createTestBlobs, type TestBlobs } from './test-blobs.ts'
import { createTestDatabase, isOnSqlite, type TestDatabase } from './test-database.ts'

// A data folder in SQLite has one server, beside which commands work on the database, as this process does.
const servers = isOnSqlite ? 1 : 2
const writers = 4
const each = 15
const schema = [{ name: 'word', type: 'string' as const, length: 20 }]

let dataDir: string
let blobs: TestBlobs
let database: TestDatabase
let issuer: Issuer

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-audit-'))
  blobs = createTestBlobs(dataDir)
  database = await createTestDatabase(dataDir)
  issuer = await startIssuer()
})

afterEach(async () => {
  await issuer.close()
  await database.drop()
  rmSync(dataDir, { recursive: true })
})

async function startClients(): Promise<Client[]> {
  const token = await issuer.token()
  const env = { ...database.env, ...blobs.env, VITRINE_ADMINS: 'alice' }
  const started = Array.from({ length: servers }, () => startChildServer({ dataDir, issuer, env }))
  return (await Promise.all(started)).map(({ url }) =>
    createClient({ baseUrl: url, token: () => token }),
  )
}

test('entries that several processes write at once are one chain without a gap', async () => {
  const clients = await startClients()
  const store = await database.open()
  const here = { issuer: issuer.issuer, subject: 'here' }
  const makers = [
    ...clients.map((client) => (name: string) => client.repoCreate({ body: { name, schema } })),
    (name: string) => createRepo(store, { name, schema }, { identity: here, visibility: 'all' }),
  ]
  const names = makers.map((_, maker) =>
    Array.from({ length: writers * each }, (_, number) => `words-${maker}-${number}`),
  )
  await Promise.all(
    makers.flatMap((make, maker) => {
      const left = names[maker]!.values()
      return Array.from({ length: writers }, async () => {
        for (const name of left) await make(name)
      })
    }),
  )
  await store.close()

  const exported = await (await clients[0]!.auditExport({})).text()
  const entries = exported
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { number: number; dataset: { name: string } })
  expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => index + 1))
  expect(new Set(entries.map(({ dataset }) => dataset.name))).toEqual(new Set(names.flat()))
  expect(entries).toHaveLength(names.flat().length)
  expect(await findings({ database, blobs: await blobs.open() })).toEqual([])
})

test.skipIf(isOnSqlite)(
  'a personal token that one process revokes is refused by another at once',
  async () => {
    const [first, second] = await startClients()
    for (const [revoking, asked] of [
      [first!, second!],
      [second!, first!],
    ]) {
      const body = { name: 'ci', scope: 'read' as const, expiresAt: null }
      const { id, token } = await revoking!.tokenCreate({ body })
      const client = createClient({ baseUrl: asked!.options.baseUrl, token: () => token })
      await client.datasetList({})
      await revoking!.tokenRevoke({ tokenId: id })
      await expect(client.datasetList({})).rejects.toMatchObject({
        status: 401,
        code: 'TOKEN_INVALID',
      })
    }
  },
)
