// @module-tag engines

import { createClient } from '@vitrine/client'
import { type AuditEntry, readAuditLog, readRepoLog } from '@vitrine/contract'
import {
  type Checkpoint,
  TreeBuilder,
  isSignedBy,
  leafHash,
  readBundle,
  readCheckpoint,
  readNote,
  readVerifierKey,
  rootsByConsistency,
  sha256,
} from '@vitrine/transparency-log'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findings } from './findings.ts'
import { codeOf, startRestoredServer, type RestoredServer } from './restored-server.ts'

let server: RestoredServer

beforeEach(async () => {
  server = await startRestoredServer()
})
afterEach(() => server.close())

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytesOf = async (reply: Promise<Blob>) => new Uint8Array(await (await reply).arrayBuffer())
const recorded = () => server.client.auditList({ what: 'checkpoints-recorded' })

async function auditCheckpoint(size?: number): Promise<Checkpoint> {
  const note = readNote(
    await (await server.client.auditCheckpoint({ ...(size !== undefined && { size }) })).text(),
  )!
  const key = await readVerifierKey(
    (await (await server.client.auditVerifierKey({})).text()).trim(),
  )
  expect(await isSignedBy(note, key!)).toBe(true)
  return readCheckpoint(note.text)!
}

/** Returns the root over the first entries of an export. */
async function rootOfExport(size: number): Promise<string> {
  const lines = (await (await server.client.auditExport({})).text()).split('\n').slice(0, size)
  const tree = new TreeBuilder(sha256)
  for (const line of lines) {
    const { hash } = JSON.parse(line) as AuditEntry
    await tree.add(await leafHash(new TextEncoder().encode(hash)))
  }
  return hex(await tree.root())
}

test('the audit log is signed as the tree over the hashes of its entries', async () => {
  const { client } = server
  expect(await auditCheckpoint()).toMatchObject({ size: 0 })
  await server.act(300)
  const { origin, size, root } = await auditCheckpoint()
  expect(size).toBe(300)
  expect(readAuditLog(origin)).toMatchObject({ installation: expect.stringContaining('/api/log') })
  expect(readRepoLog(origin)).toBeUndefined()
  expect(hex(root)).toBe(await rootOfExport(300))
  const before = await auditCheckpoint(257)
  expect(hex(before.root)).toBe(await rootOfExport(257))

  const { hashes } = await client.auditConsistency({ from: 257, to: 300 })
  const proof = {
    before: 257,
    size,
    root: before.root,
    hashes: hashes.map((text) => Uint8Array.from(Buffer.from(text, 'hex'))),
  }
  const roots = await rootsByConsistency(proof, sha256)
  expect([hex(roots.before), hex(roots.now)]).toEqual([hex(before.root), hex(root)])

  const entries = readBundle(await bytesOf(client.auditTile({ tile: 'entries/001.p/44' })))!
  const [last] = await client.auditList({ pageSize: 1 })
  expect(Buffer.from(entries.at(-1)!).toString()).toBe(last!.hash)
  const leaves = await bytesOf(client.auditTile({ tile: '0/001.p/44' }))
  expect(hex(leaves.subarray(-32))).toBe(hex(await leafHash(new TextEncoder().encode(last!.hash))))
  expect(await bytesOf(client.auditTile({ tile: '1/000.p/1' }))).toHaveLength(32)
  for (const tile of ['entries/001.p/45', '0/002', '2/000.p/1', '0/1']) {
    expect(await codeOf(client.auditTile({ tile }))).toBe('LOG_RANGE_NOT_FOUND')
  }
  expect(await codeOf(client.auditCheckpoint({ size: 301 }))).toBe('LOG_RANGE_NOT_FOUND')
  expect(await codeOf(client.auditConsistency({ from: 2, to: 1 }))).toBe('LOG_RANGE_NOT_FOUND')
})

test('everybody gets what is signed, and administrators alone the entries', async () => {
  await server.act(2)
  const token = await server.issuer.token({ sub: 'grace' })
  const grace = createClient({ baseUrl: server.url, token: () => token })
  expect(await (await grace.auditCheckpoint({})).text()).toContain('/log\n2\n')
  expect(await grace.auditConsistency({ from: 1, to: 2 })).toMatchObject({
    hashes: [expect.any(String)],
  })
  for (const tile of ['entries/000.p/1', '0/000.p/1']) {
    expect(await codeOf(grace.auditTile({ tile }))).toBe('ADMINISTRATOR_REQUIRED')
  }
})

test('checkpoints of repositories that have grown are recorded, and no others', async () => {
  for (const name of ['grown', 'same', 'empty']) await server.createRepo(name)
  await server.importWords('grown', 0, 300)
  await server.importWords('same', 0, 2)
  await server.upkeep()
  expect(await recorded()).toEqual([])
  await server.recordCheckpoints()
  await server.recordCheckpoints()
  const now = async (name: string) => {
    const { origin, size, root } = await server.checkpoint(name)
    return { origin, size, root: hex(root) }
  }
  const first = [await now('grown'), await now('same')]
  expect(await recorded()).toMatchObject([{ details: { checkpoints: first } }])
  expect((await recorded())[0]).not.toHaveProperty('by')

  await server.importWords('grown', 300, 310)
  await server.upkeep()
  await server.recordCheckpoints()
  expect(await recorded()).toMatchObject([
    { details: { checkpoints: [await now('grown')] } },
    { details: { checkpoints: first } },
  ])
})

test('the name of a person is erased, and what was signed of the audit log stays', async () => {
  const token = await server.issuer.token({ sub: 'grace', name: 'Grace' })
  const grace = createClient({ baseUrl: server.url, token: () => token })
  for (const name of ['one', 'two']) {
    await grace.tokenCreate({ body: { name, scope: 'read', expiresAt: null } })
  }
  const before = await auditCheckpoint()
  await server.client.nameErase({ body: { subject: 'grace' } })
  const now = await auditCheckpoint()
  expect(now.size).toBe(3)
  expect(await auditCheckpoint(2)).toEqual(before)
  expect(hex(now.root)).toBe(await rootOfExport(3))
})

test('an audit log without some of its entries is not signed', async () => {
  await server.act(3)
  await server.use(({ write }) =>
    write(async (transaction) => {
      await transaction.deleteFrom('audit_log').where('number', '=', 2).execute()
    }),
  )
  expect(await codeOf(server.client.auditCheckpoint({}))).toBe('LOG_DAMAGED')
  expect(await codeOf(server.client.auditTile({ tile: 'entries/000.p/3' }))).toBe('LOG_DAMAGED')
})

test('a hash of its tree that is another one is damage', async () => {
  await server.act(256)
  await auditCheckpoint()
  const damage = async () => {
    const all = await findings({ database: server.database, blobs: await server.blobs.open() })
    return all.filter(({ kind }) => kind === 'damage').map(({ where, what }) => `${where}: ${what}`)
  }
  expect(await damage()).toEqual([])
  await server.use(({ write }) =>
    write(async (transaction) => {
      await transaction
        .updateTable('log_nodes')
        .set({ hash: Buffer.alloc(32) })
        .execute()
    }),
  )
  expect(await damage()).toEqual(['audit log: its log is not that of its entries from entry 1'])
})

test('an older backup is noticed by its audit log, which begins anew', async () => {
  await server.createRepo('words')
  const backup = await server.backUp()
  await server.createRepo('others')
  await server.importWords('others', 0, 3)
  // Nobody has asked for a checkpoint of all of it.
  const { origin } = await auditCheckpoint(0)
  await server.recordCheckpoints()
  await server.restore(backup)
  const fault = 'the audit log has 1 entries, and 4 were signed: those after entry 1 are missing'
  await expect.poll(() => server.lines).toMatchObject([{ fault }])
  expect(server.lines[0]).not.toHaveProperty('repo')
  expect(await codeOf(server.client.auditCheckpoint({}))).toBe('LOG_NOT_SIGNED')
  // What is done meanwhile is written nevertheless.
  await server.createRepo('others')
  await server.importWords('others', 0, 5)
  await server.recordCheckpoints()
  expect(await recorded()).toHaveLength(1)
  expect(await server.renew()).toEqual([
    'the first 4 entries of the audit log are not those that were signed',
  ])
  const renewed = await auditCheckpoint()
  expect(renewed.origin).not.toBe(origin)
  expect(hex(renewed.root)).toBe(await rootOfExport(renewed.size))
  expect(await server.client.auditList({ what: 'log-renewed' })).toMatchObject([
    { details: { generation: readAuditLog(origin)!.generation, fault: 'other', signed: 4 } },
  ])
})
