// @module-tag whole

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addItem, correctItem } from '@vitrine/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { accountList, addFirstAccount } from '../../server/src/access/provider/accounts.ts'
import { createRepo } from '../../server/src/datasets/create-repo.ts'
import { restoreDataset } from '../../server/src/datasets/restore-dataset.ts'
import {
  checkInstallation,
  type Finding,
} from '../../server/src/upkeep/verify/check-installation.ts'
import { listDatasets } from '../../server/src/store/dataset-rows.ts'
import { countItems, findRepoId } from '../../server/src/store/datasets.ts'
import { addItemOrigins } from '../../server/src/store/item-origins.ts'
import { eraseName } from '../../server/src/access/erase-name.ts'
import { writeAudit } from '../../server/src/store/audit-log.ts'
import { deleteGrant } from '../../server/src/store/grants.ts'
import { openStore, type Store } from '../../server/src/store/store.ts'
import { sha256 } from '../../server/test/photos.ts'
import { startTestServer } from '../../server/test/server.ts'
import { createTestBlobs, s3Credentials, type TestBlobs } from '../../server/test/test-blobs.ts'
import { createTestDatabase, type TestDatabase } from '../../server/test/test-database.ts'
import { spawnVitrine } from './spawn-vitrine.ts'
import { vitrine } from './vitrine.ts'

const itemCount = 700

let folder: string
let from: string
let database: TestDatabase
let blobs: TestBlobs

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  from = join(folder, 'data')
  database = await createTestDatabase(join(folder, 'moved'))
  blobs = createTestBlobs(join(folder, 'moved'))
})

afterEach(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

/** On SQLite and files, whatever else the tests run on; empty is unset. */
const source = () => ({
  VITRINE_DATA_DIR: from,
  VITRINE_DATABASE_URL: '',
  VITRINE_BLOB_URL: '',
})

async function fill(count: number): Promise<void> {
  const server = await startTestServer({
    ...source(),
    VITRINE_EVERYONE: 'reader',
    VITRINE_ADMINS: 'alice',
  })
  const { client } = server
  await client.repoCreate({
    body: {
      name: 'files',
      schema: [
        { name: 'title', type: 'string', length: 100 },
        { name: 'file', type: 'binary', mime: 'text/plain', optional: true },
        { name: 'before', type: 'reference', target: 'files', optional: true },
      ],
    },
  })
  await client.viewCreate({ body: { name: 'titles', base: 'files', fields: ['title'] } })
  const first = await addItem(client, 'files', { title: 'the first' })
  const numbers = Array.from({ length: count - 2 }, (_, index) => index).values()
  const addOn = async () => {
    for (const number of numbers) {
      // Some contents are those of other items.
      const file = new Blob([`bytes ${number % 600}`], { type: 'text/plain' })
      await addItem(client, 'files', { title: `“${number}”`, file, before: first })
    }
  }
  await Promise.all(Array.from({ length: 8 }, addOn))
  const values = { title: 'The first' }
  await correctItem(client, 'files', first, { values, reason: 'a typing error' })
  await client.insertBegin({ datasetId: 'files' })
  await client.repoCreate({
    body: {
      name: 'resting',
      schema: [
        { name: 'file', type: 'binary', mime: 'text/plain' },
        { name: 'of', type: 'reference', target: 'files' },
      ],
    },
  })
  const resting = new Blob(['bytes that rest'], { type: 'text/plain' })
  await addItem(client, 'resting', { file: resting, of: first })
  for (const datasetId of ['files', 'resting']) {
    await client.grantSet({ datasetId, body: { everyone: true, role: 'contributor' } })
  }
  await client.repoDelete({ datasetId: 'resting' })
  await client.tokenCreate({ body: { name: 'ci', scope: 'read', expiresAt: null } })
  await server.close()
  await withStore(sourceStore, async (store) => {
    await addFirstAccount(store, 'correct horse battery')
    const by = { key: 'https://issuer.example grace', name: 'Grace' }
    await store.write(async (transaction) => {
      const repoId = (await findRepoId(transaction, 'files'))!
      const entries = new TextEncoder().encode('an entry')
      const origin = { position: 0, items: 1, checkpoint: 'a checkpoint', key: 'a key', entries }
      await addItemOrigins(transaction, repoId, origin)
      await writeAudit(transaction, { what: 'token-revoked', by })
    })
  })
}

const sourceStore = () =>
  openStore({ database: { engine: 'sqlite', file: join(from, 'vitrine.db') } })

async function withStore<T>(
  open: () => Promise<Store>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await open()
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const words = () => {
  const { VITRINE_DATABASE_URL: toDatabase } = database.env
  const { VITRINE_BLOB_URL: toBlobs } = blobs.env
  return [
    'copy',
    `--from=${from}`,
    `--to-database=${toDatabase ?? `sqlite:${folder}/moved/vitrine.db`}`,
    `--to-blobs=${toBlobs ?? `file:${folder}/moved/blobs`}`,
  ]
}

const env = s3Credentials()

const content = (store: Store) =>
  Promise.all([
    listDatasets(store.reads, { page: 0, pageSize: 100 }, 'all'),
    accountList(store),
    store.reads.selectFrom('datasets').selectAll().orderBy('id').execute(),
    store.reads.selectFrom('dataset_references').selectAll().execute(),
    store.reads.selectFrom('people').selectAll().orderBy('id').execute(),
    store.reads.selectFrom('tokens').selectAll().execute(),
    store.reads.selectFrom('corrections').selectAll().execute(),
    store.reads.selectFrom('superseded').selectAll().execute(),
    readOrigins(store),
    store.reads.selectFrom('grants').selectAll().orderBy('id').execute(),
    store.reads.selectFrom('blob_references').selectAll().orderBy('item_id').execute(),
    store.reads.selectFrom('audit_log').selectAll().orderBy('number').execute(),
    store.reads.selectFrom('audit_head').selectAll().execute(),
    store.reads.selectFrom('deleted_datasets').selectAll().execute(),
  ])

async function readOrigins({ reads }: Store) {
  const rows = await reads.selectFrom('item_origins').selectAll().execute()
  return rows.map(({ entries, ...row }) => ({ ...row, entries: Buffer.from(entries).toString() }))
}

/** Puts a pipe in the place of a content, at which a reader waits for ever. */
function holdReader(content: string) {
  const digest = sha256(content)
  const path = join(from, 'blobs', digest.slice(0, 2), digest.slice(2))
  renameSync(path, `${path}.kept`)
  execFileSync('mkfifo', [path])
  return {
    /** Resolves once there is a reader, and holds it. */
    reached: () => open(path, 'w'),
    release: () => renameSync(`${path}.kept`, path),
  }
}

test('an installation arrives whole, however often its copying is killed', async () => {
  await fill(itemCount)
  const target = await database.open()
  let reached = await countItems(target.reads)
  expect(reached).toBe(0)
  // Of the second batch of items, and of the third.
  for (const content of ['bytes 300', 'bytes 500']) {
    const held = holdReader(content)
    const { child } = spawnVitrine(words(), env)
    const writer = await held.reached()
    child.kill('SIGKILL')
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    await writer.close()
    held.release()
    const now = await countItems(target.reads)
    expect(now).toBeGreaterThan(reached)
    expect(now).toBeLessThan(itemCount)
    reached = now
  }

  // After they were copied, a role is taken back, a token revoked, a name erased, and a generation given by an upgrade.
  await withStore(sourceStore, async (store) => {
    await store.write(async (transaction) => {
      await deleteGrant(transaction, { datasetId: 1, id: 1 })
      await transaction.deleteFrom('tokens').execute()
      for (const table of ['datasets', 'deleted_datasets'] as const) {
        await transaction.updateTable(table).set({ generation: '0123456789' }).execute()
      }
    })
    const admin = { issuer: 'https://issuer.example', subject: 'root' }
    expect(await eraseName(store, 'grace', admin)).toEqual({ entries: 1 })
  })

  const { code, stdout } = await vitrine(words(), { env })
  expect(code).toBe(0)
  expect(stdout).toContain('every digest was right')
  expect(await content(target)).toEqual(await withStore(sourceStore, content))
  const found: Finding[] = []
  for await (const finding of checkInstallation(target, await blobs.open())) found.push(finding)
  expect(found).toEqual([])
  expect(await blobs.list()).toContain(sha256('bytes 7'))

  // What is made from now on has a number of its own.
  const schema = [{ name: 'note', type: 'string', length: 10 }]
  const alice = { issuer: 'https://issuer.example', subject: 'alice' }
  const { created } = await createRepo(
    target,
    { name: 'newer', schema },
    { identity: alice, visibility: 'all' },
  )
  expect(created).toBe(true)
  const requester = { identity: alice, isAdministrator: true }
  const { name } = await restoreDataset(target, 3, {
    input: {},
    requester,
    visibility: 'all',
  })
  expect(name).toBe('resting')
  expect(await blobs.list()).toContain(sha256('bytes that rest'))
  const refused = await vitrine(words(), { env })
  expect(refused).toMatchObject({
    code: 1,
    stderr: 'There is another installation in that database: name an empty one.\n',
  })
  await target.close()
})

test('damage at the source ends it, and is named', async () => {
  await fill(4)
  const digest = sha256('bytes 1')
  writeFileSync(join(from, 'blobs', digest.slice(0, 2), digest.slice(2)), 'other 1')
  const { code, stderr } = await vitrine(words(), { env })
  expect(code).toBe(1)
  expect(stderr).toContain(`The blob ${digest} is damaged`)
})

test('a server that still runs is told of', async () => {
  const server = await startTestServer(source())
  const { code, stderr } = await vitrine(words(), { env })
  expect(code).toBe(1)
  expect(stderr).toContain(`A server works on ${from}: stop it`)
  await server.close()
})
