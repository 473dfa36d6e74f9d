// @module-tag engines

import { createHash } from 'node:crypto'
import { type KnownLog, addItem, checkCheckpoint, fetchItemProof } from '@vitrine/client'
import {
  checkpointText,
  consistencyPath,
  emptyRoot,
  inclusionPath,
  isSignedBy,
  leafHash,
  makeVerifierKey,
  readBundle,
  readCheckpoint,
  readEntry,
  readNote,
  readVerifierKey,
  rootByInclusion,
  rootsByConsistency,
  sealText,
  sha256,
  TreeBuilder,
  verifierKeyText,
  type Checkpoint,
} from '@vitrine/transparency-log'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RepoLog } from '../src/log/repo-log.ts'
import { findDataset } from '../src/store/datasets.ts'
import { itemTable } from '../src/store/items.ts'
import { leafOf, rootOf } from '../src/store/leaf.ts'
import { startTestServer, type TestServer } from './server.ts'
import { until } from './until.ts'

const datasetId = 'words'
let server: TestServer

beforeEach(async () => {
  server = await startTestServer({ VITRINE_DELETED_DAYS: '0' })
  const schema = [
    { name: 'word', type: 'string', length: 20 },
    { name: 'file', type: 'binary', mime: 'text/plain', optional: true },
  ]
  await server.client.repoCreate({ body: { name: datasetId, schema } })
})

afterEach(() => server.close())

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytesOf = async (reply: Promise<Blob>) => new Uint8Array(await (await reply).arrayBuffer())
const tile = (address: string) => bytesOf(server.client.logTile({ datasetId, tile: address }))
const hashesIn = (bytes: Uint8Array) =>
  Array.from({ length: bytes.length / 32 }, (_, at) => hex(bytes.subarray(32 * at, 32 * at + 32)))

const importWords = (from: number, to: number) => {
  const words = Array.from({ length: to - from }, (_, at) => `{"word":"w${from + at}"}`)
  const body = `${words.join('\n')}\n`
  return server.client.importBegin({ datasetId, format: 'ndjson', body } as never)
}

const verifierKey = async () =>
  (await (await server.client.logVerifierKey({ datasetId })).text()).trim()

/** The checkpoint of the log, once its signature is verified. */
async function checkpoint(size?: number): Promise<Checkpoint> {
  const key = await readVerifierKey(await verifierKey())
  const given = size === undefined ? { datasetId } : { datasetId, size }
  const note = readNote(await (await server.client.logCheckpoint(given)).text())!
  expect(await isSignedBy(note, key!)).toBe(true)
  return readCheckpoint(note.text)!
}

async function rootOfEntries(entries: Uint8Array[]): Promise<string> {
  const builder = new TreeBuilder()
  for (const entry of entries) await builder.add(await leafHash(entry))
  return hex(await builder.root())
}

test('an item is an entry by its author, with the seal of its values, in a signed log', async () => {
  expect(hex((await checkpoint()).root)).toBe(emptyRoot)
  const file = new Blob(['bytes'], { type: 'text/plain' })
  await addItem(server.client, datasetId, { word: 'one', file })
  await addItem(server.client, datasetId, { word: 'two' })

  const entries = readBundle(await tile('entries/000.p/2'))!
  const [first, second] = entries.map((bytes) => readEntry(Buffer.from(bytes).toString())!)
  const { integrity, createdAt } = await server.client.datasetItemGet({ datasetId, itemId: 1 })
  const values = Object.entries(integrity!).map(([field, seal]) => ({ field, ...seal }))
  const seal = createHash('sha256').update(sealText(values)).digest('hex')
  expect(values).toHaveLength(2)
  const nonce = expect.stringMatching(/^[0-9a-f]{32}$/) as string
  expect(first).toEqual({ id: 1, createdAt, by: 'alice', nonce, seal })
  expect(second).toMatchObject({ id: 2, by: 'alice' })

  const { origin, size, root } = await checkpoint()
  expect({ size, root: hex(root) }).toEqual({ size: 2, root: await rootOfEntries(entries) })
  expect(origin).toMatch(/^localhost:\d+\/api\/repo\/words\.[0-9a-f]{10}\/log$/)
  expect((await verifierKey()).split('+')[0]).toBe(origin)
  expect(checkpointText(await checkpoint(1))).toContain('\n1\n')
  expect(hashesIn(await tile('0/000.p/2'))).toEqual(
    await Promise.all(entries.map(async (entry) => hex(await leafHash(entry)))),
  )
})

test('a log whose items are gone from the database is damaged, and says so', async () => {
  for (const word of ['one', 'two', 'three']) await addItem(server.client, datasetId, { word })
  await server.database.use(async ({ reads, write }) => {
    const { id } = (await findDataset(reads, datasetId))!
    await write((transaction) =>
      sql`delete from ${itemTable(id)} where position = 1`.execute(transaction),
    )
  })
  const damaged = { status: 500, body: { code: 'LOG_DAMAGED' } }
  await expect(tile('0/000.p/3')).rejects.toMatchObject(damaged)
  await expect(server.client.logCheckpoint({ datasetId })).rejects.toMatchObject(damaged)
  const entries = readBundle(await tile('entries/000.p/3'))!
  expect(entries.map(({ length }) => length > 0)).toEqual([true, false, true])
})

test(
  'tiles, proofs and checkpoints of imports and single items are one tree, at any size',
  { tags: 'long' },
  async () => {
    await importWords(0, 700)
    for (const word of ['a', 'b', 'c']) await addItem(server.client, datasetId, { word })
    await importWords(700, 1100)
    const size = 1103
    const bundles = await Promise.all(
      ['000', '001', '002', '003', '004.p/79'].map((address) => tile(`entries/${address}`)),
    )
    const entries = bundles.flatMap((bytes) => readBundle(bytes)!)
    expect(entries).toHaveLength(size)
    expect(hashesIn(await tile('1/000.p/4'))).toEqual(
      await Promise.all(
        Array.from({ length: 4 }, (_, at) =>
          rootOfEntries(entries.slice(256 * at, 256 * at + 256)),
        ),
      ),
    )
    for (const [before, now] of [
      [1, 1103],
      [256, 700],
      [700, 703],
      [703, 1103],
      [1024, 1103],
    ] as const) {
      const { hashes } = await server.client.logConsistency({ datasetId, from: before, to: now })
      expect(hashes).toHaveLength(consistencyPath(before, now).length)
      const old = await checkpoint(before)
      expect(hex(old.root)).toBe(await rootOfEntries(entries.slice(0, before)))
      const proof = {
        before,
        size: now,
        root: old.root,
        hashes: hashes.map((each) => Buffer.from(each, 'hex')),
      }
      const roots = await rootsByConsistency(proof)
      expect([hex(roots.before), hex(roots.now)]).toEqual([
        hex(old.root),
        hex((await checkpoint(now)).root),
      ])
    }
    for (const itemId of [1, 256, 257, 700, 701, 703, 1103]) {
      const {
        index,
        entry,
        hashes,
        checkpoint: note,
      } = await fetchItemProof(server.client, { datasetId, itemId })
      expect({ index, hashes: hashes.length }).toEqual({
        index: itemId - 1,
        hashes: inclusionPath(index, size).length,
      })
      const proof = {
        index,
        size,
        leaf: await leafHash(Buffer.from(entry)),
        hashes,
      }
      expect(hex(await rootByInclusion(proof))).toBe(
        hex(readCheckpoint(readNote(note)!.text)!.root),
      )
    }
  },
)

test('tiles, checkpoints and proofs that a log does not have are refused', async () => {
  await addItem(server.client, datasetId, { word: 'one' })
  const refused = { status: 404, code: 'LOG_RANGE_NOT_FOUND' }
  for (const address of [
    '0/000',
    '0/000.p/2',
    '0/001.p/1',
    '1/000.p/1',
    '63/000',
    'x',
    'entries/000.p/2',
  ]) {
    await expect(tile(address)).rejects.toMatchObject(refused)
  }
  await expect(server.client.logCheckpoint({ datasetId, size: 2 })).rejects.toMatchObject(refused)
  await expect(server.client.logConsistency({ datasetId, from: 1, to: 2 })).rejects.toMatchObject(
    refused,
  )
  await expect(server.client.logConsistency({ datasetId, from: 1, to: 0 })).rejects.toMatchObject(
    refused,
  )
  await expect(server.client.logProof({ datasetId, itemId: 1, size: 0 })).rejects.toMatchObject(
    refused,
  )
  const proof = server.client.logProof({ datasetId, itemId: 2 })
  await expect(proof).rejects.toMatchObject({ code: 'DATASET_OR_ITEM_NOT_FOUND' })
  await server.client.viewCreate({ body: { name: 'seen', base: datasetId } })
  const ofView = server.client.logCheckpoint({ datasetId: 'seen' })
  await expect(ofView).rejects.toMatchObject({ code: 'REPO_NOT_FOUND' })
})

test('a deleted repository leaves nothing of its log, and the next of its name begins anew', async () => {
  await importWords(0, 600)
  const before = await checkpoint()
  await server.client.repoDelete({ datasetId })
  await until(() =>
    server.database.use(async ({ reads }) => {
      const rows = await reads.selectFrom('log_nodes').selectAll().execute()
      return rows.length === 0
    }),
  )
  const schema = [{ name: 'word', type: 'string', length: 20 }]
  await server.client.repoCreate({ body: { name: datasetId, schema } })
  expect((await checkpoint()).size).toBe(0)
  expect(before.size).toBe(600)
})

test(
  'items that are older than the log have entries without an author',
  { tags: 'long' },
  async () => {
    await importWords(0, 600)
    // Waits for what the server hashes after an import, which would be written over what follows.
    expect((await checkpoint()).size).toBe(600)
    await server.database.use((store) =>
      store.write(async (transaction) => {
        await sql`update items_1 set author = null, leaf = null where position < 400`.execute(
          transaction,
        )
        await transaction.deleteFrom('log_nodes').execute()
      }),
    )
    await server.database.use(async (store) => {
      const repo = (await findDataset(store.reads, datasetId))!
      const log = new RepoLog(store, repo, new AbortController().signal)
      await log.grow(600)
      const entries = await log.entries.range({ from: 0, to: 600 })
      const leaves = entries.map(({ entry }) => leafOf(entry))
      const read = await log.entries.leaves({ from: 0, to: 600 })
      expect(read.map(hex)).toEqual(leaves.map(hex))
      expect(hex(await log.hashOf({ from: 0, to: 600 }))).toBe(hex(rootOf(leaves)))
      const [old, recent] = await Promise.all(
        [0, 500].map(async (from) => (await log.entries.range({ from, to: from + 1 }))[0]!),
      )
      expect(old!.entry).not.toHaveProperty('by')
      expect(recent!.entry.by).toBe('alice')
    })
  },
)

test('the key stays, named by the address of the server', async () => {
  const key = await (await server.client.logKey({})).text()
  expect(key).toMatch(/^localhost:\d+\/api\/log\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}\n$/)
  expect(await (await server.client.logKey({})).text()).toBe(key)
})

test('a name that is given again has another log', async () => {
  await addItem(server.client, datasetId, { word: 'one' })
  const { origin } = await checkpoint()
  await server.client.repoDelete({ datasetId })
  await server.client.repoCreate({
    body: { name: datasetId, schema: [{ name: 'word', type: 'string' }] },
  })
  const again = await checkpoint()
  expect(again.origin).not.toBe(origin)
  expect(again.origin.replace(/\.[0-9a-f]{10}\//, '')).toBe(origin.replace(/\.[0-9a-f]{10}\//, ''))
})

test('what was verified of an earlier log of the name is told, and of one without a generation goes on', async () => {
  const { client } = server
  await addItem(client, datasetId, { word: 'one' })
  const check = async (known: KnownLog | undefined) => {
    const note = await (await client.logCheckpoint({ datasetId })).text()
    const { checks, known: verified } = await checkCheckpoint(client, datasetId, {
      note,
      known,
      hash: sha256,
    })
    return { verified, history: checks.find(({ name }) => name === 'consistency')! }
  }
  const { verified } = await check(undefined)
  const { publicKey } = (await readVerifierKey(verified!.key))!
  const { origin: _, ...before } = verified!
  before.key = verifierKeyText(await makeVerifierKey({ name: server.url, publicKey }))
  await addItem(client, datasetId, { word: 'two' })
  expect((await check(before)).history).toMatchObject({ passed: true })
  const otherKey = new Uint8Array(32).fill(7)
  before.key = verifierKeyText(await makeVerifierKey({ name: server.url, publicKey: otherKey }))
  expect((await check(before)).history).toMatchObject({
    passed: false,
    text: expect.stringContaining('another key'),
  })

  await client.repoDelete({ datasetId })
  await client.repoCreate({ body: { name: datasetId, schema: [{ name: 'word', type: 'string' }] } })
  for (const word of ['one', 'two']) await addItem(client, datasetId, { word })
  const { history, verified: none } = await check(verified)
  expect(none).toBeUndefined()
  expect(history).toMatchObject({
    passed: false,
    text: expect.stringMatching(/another log .*deleted and created again/),
  })
})
