import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { addItem, createClient } from '@vitrine/client'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { Client } from 'pg'
import { backupInstallation } from '../src/upkeep/installation/backup-installation.ts'
import { checkBackup } from '../src/upkeep/installation/check-backup.ts'
import { restoreInstallation } from '../src/upkeep/installation/restore-installation.ts'
import { restoreDataset } from '../src/datasets/restore-dataset.ts'
import { openBlobs } from '../src/blobs/open-blobs.ts'
import { readConfig, startServer } from '../src/start.ts'
import { checkInstallation, type Finding } from '../src/upkeep/verify/check-installation.ts'
import { holdCollection } from '../src/store/leases.ts'
import { openStore, type Store } from '../src/store/store.ts'
import { createEmptyPlace } from './empty-place.ts'
import { patient } from './patient.ts'
import { sha256 } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'
import { isOnSqlite } from './test-database.ts'

const signal = new AbortController().signal

let server: TestServer
let folder: string

beforeAll(async () => {
  server = await start()
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  return () => rmSync(folder, { recursive: true })
})
afterAll(() => server.close())

async function start(): Promise<TestServer> {
  const started = await startTestServer({ VITRINE_DELETED_DAYS: '0' })
  const file = { name: 'file', type: 'binary', mime: 'text/plain' }
  const title = { name: 'title', type: 'string', length: 100 }
  for (const name of ['files', 'others', 'more']) {
    await started.client.repoCreate({ body: { name, schema: [title, file] } })
  }
  return started
}

const source = ({ database, blobs, dataDir } = server) => ({
  database: database.address,
  blobs: blobs.address,
  dataDir,
})

const add = (repo: string, text: string, { client } = server) =>
  addItem(client, repo, { title: text, file: new Blob([text], { type: 'text/plain' }) })

/** A place with nothing in it, on the engines of the test. */
async function emptyPlace() {
  const { env, drop } = await createEmptyPlace(join(folder, 'restored'))
  return { config: readConfig({ ...env, VITRINE_LOG_LEVEL: 'silent' }), drop }
}

async function found({ database, blobs, dataDir }: ReturnType<typeof source>): Promise<Finding[]> {
  const store = await openStore({ database })
  try {
    const found: Finding[] = []
    const opened = await openBlobs({ blobs, dataDir })
    for await (const finding of checkInstallation(store, opened)) found.push(finding)
    return found
  } finally {
    await store.close()
  }
}

test(
  'a backup made while 64 clients insert has all that was acknowledged before it began',
  { tags: 'whole' },
  async () => {
    const busy = await start()
    const acknowledged: { repo: string; id: number }[] = []
    const clients = new AbortController()
    let number = 0
    const insertOn = async () => {
      while (!clients.signal.aborted) {
        const repo = number % 3 === 0 ? 'others' : 'files'
        // What goes meanwhile takes no items any more.
        const id = await add(repo, `bytes ${(number += 1)}`, busy).catch(() => undefined)
        if (id !== undefined) acknowledged.push({ repo, id })
      }
    }
    const inserting = Array.from({ length: 64 }, insertOn)
    await expect.poll(() => acknowledged.length).toBeGreaterThan(64)
    const before = [...acknowledged]
    let removing: Promise<unknown> | undefined
    const backup = await backupInstallation(source(busy), join(folder, 'backup'), {
      // What goes while the blobs are copied stays in the backup.
      onProgress: ({ what }) => {
        if (what !== 'blobs') return
        removing ??= busy.client.repoDelete({ datasetId: 'others' }).then(() => busy.upkeep())
      },
      signal,
    })
    clients.abort()
    await Promise.all(inserting)
    await removing
    expect(backup.damaged).toEqual([])
    expect(backup.items).toBeGreaterThanOrEqual(before.length)

    const { config, drop } = await emptyPlace()
    const restored = await restoreInstallation(join(folder, 'backup'), config, { signal })
    expect(restored.damaged).toEqual([])
    const anew = await startServer(
      {
        ...config,
        oidc: { ...config.oidc, authority: busy.issuer.issuer, audience: busy.issuer.audience },
      },
      patient,
    )
    const reads = { ...busy.client.options, baseUrl: `http://127.0.0.1:${anew.port}` }
    const client = createClient(reads)
    const there = new Set<string>()
    for (const repo of ['files', 'others']) {
      for await (const { id } of client.items(repo)) there.add(`${repo}/${id}`)
    }
    expect(before.filter(({ repo, id }) => !there.has(`${repo}/${id}`))).toEqual([])
    await anew.close()
    const wrong = (await found(config)).filter(({ kind }) => kind === 'damage')
    expect(wrong).toEqual([])
    await drop()
    await busy.close()
  },
)

test('nothing is collected while a backup is made', async () => {
  const schema = [{ name: 'file', type: 'binary', mime: 'text/plain' }]
  await server.client.repoCreate({ body: { name: 'brief', schema } })
  await addItem(server.client, 'brief', { file: new Blob(['brief'], { type: 'text/plain' }) })
  const hold = await holdCollection(server.database.address)
  await server.client.repoDelete({ datasetId: 'brief' })
  const store = await server.database.open()
  const references = () =>
    store.reads
      .selectFrom('blob_references')
      .selectAll()
      .where('sha256', '=', sha256('brief'))
      .execute()
  await expect.poll(references).toEqual([])
  await server.upkeep()
  expect(await server.blobs.list()).toContain(sha256('brief'))
  await hold.release()
  await server.upkeep()
  expect(await server.blobs.list()).not.toContain(sha256('brief'))
  await store.close()
})

test('a backup whose hold of the collection has lapsed is not taken for whole', async () => {
  await add('more', 'held')
  const target = join(folder, 'backup')
  const store = await server.database.open()
  onTestFinished(() => store.close())
  const lapse = () =>
    store.write((transaction) =>
      transaction
        .updateTable('leases')
        .set({ expires_at: 0 })
        .where('name', 'like', 'hold %')
        .execute(),
    )
  let lapsed: Promise<unknown> | undefined
  const backup = backupInstallation(source(), target, {
    onProgress: ({ what }) => {
      if (what === 'blobs') lapsed ??= lapse()
    },
    signal,
  })
  await expect(backup).rejects.toThrow('It was halted for ten minutes or longer')
  await lapsed
  await expect(checkBackup(target, { signal, onDamage: () => {} })).rejects.toThrow('not whole')
})

test('a backup carries what was deleted and rests, and the audit log', async () => {
  const here = await startTestServer()
  const file = { name: 'file', type: 'binary', mime: 'text/plain' }
  const schema = [{ name: 'title', type: 'string', length: 100 }, file]
  await here.client.repoCreate({ body: { name: 'resting', schema } })
  await add('resting', 'bytes that rest', here)
  await here.client.repoDelete({ datasetId: 'resting' })
  await backupInstallation(source(here), join(folder, 'backup'), { signal })
  const damage: unknown[] = []
  await checkBackup(join(folder, 'backup'), { signal, onDamage: (each) => damage.push(each) })
  expect(damage).toEqual([])

  const { config, drop } = await emptyPlace()
  await restoreInstallation(join(folder, 'backup'), config, { signal })
  expect(await found(config)).toEqual([])
  const audit = ({ reads }: Store) =>
    reads.selectFrom('audit_log').selectAll().orderBy('number').execute()
  const store = await openStore(config)
  const entries = await audit(store)
  expect(entries.map(({ what }) => what)).toEqual(['dataset-created', 'dataset-deleted'])
  expect(entries).toEqual(await here.database.use(audit))
  const requester = { identity: { issuer: '', subject: '' }, isAdministrator: true }
  const restored = await restoreDataset(store, 1, { input: {}, requester, visibility: 'all' })
  expect(restored).toMatchObject({ name: 'resting' })
  await store.close()
  expect(await found(config)).toEqual([])
  await drop()
  await here.close()
})

test('a backup goes on where it was interrupted, and the next one copies what is new', async () => {
  for (let number = 0; number < 40; number += 1) await add('more', `more ${number}`)
  const target = join(folder, 'backup')
  const interruption = new AbortController()
  const interrupted = backupInstallation(source(), target, {
    onProgress: ({ what, done }) => {
      if (what === 'blobs' && done === 20) interruption.abort()
    },
    signal: interruption.signal,
  })
  await expect(interrupted).rejects.toThrow('aborted')
  const nothing = checkBackup(target, { signal, onDamage: () => {} })
  await expect(nothing).rejects.toThrow('is not whole')

  const whole = await backupInstallation(source(), target, { signal })
  expect(whole.copied).toBeLessThanOrEqual(whole.blobs - 20)
  await add('more', 'newer')
  const next = await backupInstallation(source(), target, { signal })
  expect(next).toMatchObject({ copied: 1, blobs: whole.blobs + 1, items: whole.items + 1 })
  expect(readdirSync(target).filter((name) => name.startsWith('at-'))).toEqual([next.folder])

  const damage: object[] = []
  const checked = await checkBackup(target, { signal, onDamage: (each) => damage.push(each) })
  expect(damage).toEqual([])
  expect(checked.hasCheckedItems).toBe(isOnSqlite)
  // Others can check it too.
  const list = join(next.folder, 'SHA256SUMS')
  execFileSync('sha256sum', ['--check', '--quiet', list], { cwd: target })
})

test('damage in a backup is named, left out by a restore, and healed by another backup', async () => {
  await add('more', 'sound')
  await add('more', 'will be damaged')
  const target = join(folder, 'backup')
  await backupInstallation(source(), target, { signal })
  const digest = sha256('will be damaged')
  const path = `blobs/${digest.slice(0, 2)}/${digest.slice(2)}`
  writeFileSync(join(target, path), 'Will be damaged')

  const damage: object[] = []
  await checkBackup(target, { signal, onDamage: (each) => damage.push(each) })
  expect(damage).toEqual([{ where: path, what: 'its bytes are not those of its digest' }])
  const first = await emptyPlace()
  const restored = await restoreInstallation(target, first.config, { signal })
  expect(restored.damaged).toEqual([digest])
  expect(await found(first.config)).toMatchObject([{ kind: 'damage', where: digest }])
  await first.drop()

  const again = await backupInstallation(source(), target, { check: true, signal })
  expect(again.copied).toBe(1)
  expect(readFileSync(join(target, path), 'utf8')).toBe('will be damaged')
})

test('a blob that the installation has lost does not keep the others from a backup', async () => {
  const other = await startTestServer()
  const schema = [{ name: 'file', type: 'binary', mime: 'text/plain' }]
  await other.client.repoCreate({ body: { name: 'files', schema } })
  for (const text of ['kept', 'lost']) {
    const file = new Blob([text], { type: 'text/plain' })
    await addItem(other.client, 'files', { file })
  }
  await (await other.blobs.open()).remove(sha256('lost'))
  const target = join(folder, 'backup')
  const backup = await backupInstallation(source(other), target, { signal })
  expect(backup).toMatchObject({ blobs: 1, damaged: [sha256('lost')] })
  const damage: object[] = []
  await checkBackup(target, { signal, onDamage: (each) => damage.push(each) })
  expect(damage).toMatchObject([{ where: sha256('lost') }])
  await other.close()
})

test.skipIf(isOnSqlite)(
  'a table that is removed while a backup begins does not end it',
  async () => {
    const remover = new Client({ connectionString: server.database.env['VITRINE_DATABASE_URL'] })
    await remover.connect()
    onTestFinished(() => remover.end())
    await remover.query('create table items_999 (id integer)')
    const oid = `'items_999'::regclass::oid`
    const { rows } = await remover.query<{ oid: number }>(`select ${oid} as oid`)
    await remover.query('begin; drop table items_999')
    const backup = backupInstallation(source(), join(folder, 'backup'), { signal })
    const isWaitedFor = async () => {
      const waiting = 'select from pg_locks where not granted and relation = $1'
      return (await remover.query(waiting, [rows[0]!.oid])).rowCount
    }
    await expect.poll(isWaitedFor).toBe(1)
    await remover.query('commit')
    expect(await backup).toMatchObject({ damaged: [] })
  },
)

test('nothing is overwritten', async () => {
  const target = join(folder, 'backup')
  await backupInstallation(source(), target, { signal })
  await expect(
    restoreInstallation(target, { ...source(), dataDir: folder }, { signal }),
  ).rejects.toThrow('There is a database already')
  const { config, drop } = await emptyPlace()
  const blobs = await openBlobs(config)
  const received = await blobs.receive(
    (async function* () {
      yield Buffer.from('of somebody else')
    })(),
    { maxBytes: 100 },
  )
  await received.publish()
  await received.discard()
  await expect(restoreInstallation(target, config, { signal })).rejects.toThrow(
    'There are files of another installation already',
  )
  await drop()

  writeFileSync(join(folder, 'notes.txt'), 'mine')
  await expect(backupInstallation(source(), folder, { signal })).rejects.toThrow(
    'is not empty, and no backup',
  )
  await expect(restoreInstallation(folder, config, { signal })).rejects.toThrow('is no backup')
})
