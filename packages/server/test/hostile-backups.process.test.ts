import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { addItem } from '@vitrine/client'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openBlobs } from '../src/blobs/open-blobs.ts'
import { backupInstallation } from '../src/upkeep/installation/backup-installation.ts'
import { checkBackup } from '../src/upkeep/installation/check-backup.ts'
import { restoreInstallation } from '../src/upkeep/installation/restore-installation.ts'
import { readConfig } from '../src/start.ts'
import { isEmptyDatabase } from '../src/store/snapshot.ts'
import { createEmptyPlace } from './empty-place.ts'
import { sha256 } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'
import { isOnSqlite } from './test-database.ts'

const signal = new AbortController().signal
const digest = sha256('a file')
const blob = `blobs/${digest.slice(0, 2)}/${digest.slice(2)}`

let server: TestServer
let sound: string
let folder: string

const source = () => ({
  database: server.database.address,
  blobs: server.blobs.address,
  dataDir: server.dataDir,
})

beforeAll(async () => {
  server = await startTestServer()
  const schema = [{ name: 'file', type: 'binary', mime: 'text/plain' }]
  await server.client.repoCreate({ body: { name: 'files', schema } })
  const file = new Blob(['a file'], { type: 'text/plain' })
  await addItem(server.client, 'files', { file })
  sound = mkdtempSync(join(tmpdir(), 'vitrine-'))
  await backupInstallation(source(), sound, { signal })
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  cpSync(sound, join(folder, 'backup'), { recursive: true })
  return () => rmSync(folder, { recursive: true })
})
afterAll(async () => {
  rmSync(sound, { recursive: true })
  await server.close()
})

const inBackup = (path: string) => join(folder, 'backup', path)

type Manifest = { complete: { folder: string; databaseBytes: number; listSha256: string } }
const readManifest = () => JSON.parse(readFileSync(inBackup('backup.json'), 'utf8')) as Manifest

/** Alters a backup as somebody would who knows that it is checked by its own digests. */
function alter(change: { complete?: object; list?: (list: string) => string }): void {
  const manifest = readManifest()
  const list = inBackup(`${manifest.complete.folder}/SHA256SUMS`)
  if (change.list) writeFileSync(list, change.list(readFileSync(list, 'utf8')))
  Object.assign(manifest.complete, { listSha256: hash('sha256', readFileSync(list)) })
  Object.assign(manifest.complete, change.complete)
  writeFileSync(inBackup('backup.json'), JSON.stringify(manifest))
}

const databasePath = () =>
  `${readManifest().complete.folder}/${isOnSqlite ? 'database.sqlite' : 'database.dump'}`

/** Takes a database that was altered for the one of the backup, with all digests right. */
function sealDatabase(): void {
  const bytes = readFileSync(inBackup(databasePath()))
  alter({
    complete: { databaseBytes: bytes.length },
    list: (list) => list.replace(/^\w+/, hash('sha256', bytes)),
  })
}

function replaceByLink(path: string): void {
  renameSync(inBackup(path), join(folder, 'elsewhere'))
  symlinkSync(join(folder, 'elsewhere'), inBackup(path))
}

/** Restores nothing, makes nothing, and says why; so does a check. */
async function expectRefusal(sentence: string): Promise<void> {
  const check = checkBackup(inBackup(''), { signal, onDamage: () => {} })
  await expect(check).rejects.toThrow(sentence)
  const { env, drop } = await createEmptyPlace(join(folder, 'restored'))
  onTestFinished(drop)
  const config = readConfig({ ...env, VITRINE_LOG_LEVEL: 'silent' })
  const restore = restoreInstallation(inBackup(''), config, { signal })
  await expect(restore).rejects.toMatchObject({
    name: expect.stringMatching(/^(Backup|Snapshot)Error$/),
    message: expect.stringContaining(sentence),
  })
  expect(await isEmptyDatabase(config.database)).toBe(true)
  for await (const { sha256: restored } of (await openBlobs(config)).list()) {
    expect.fail(`${restored} was restored`)
  }
}

test.for([
  ['a link to a file', blob, 'it is a link'],
  ['a link to the database', 'DATABASE', 'it is a link'],
  ['a link to a folder', 'blobs', 'it is a link'],
  ['a link to the manifest', 'backup.json', 'it is a link'],
])('%s is refused', async ([, path, what]) => {
  const real = path === 'DATABASE' ? databasePath() : path!
  replaceByLink(real)
  await expectRefusal(`${inBackup(real)}: ${what}`)
})

test.for([blob, 'backup.json', 'blobs/tmp/one'])(
  'a pipe at %s is refused, and not waited for',
  async (path) => {
    rmSync(inBackup(path), { force: true })
    execFileSync('mkfifo', [inBackup(path)])
    await expectRefusal(`${inBackup(path)}: it is a pipe`)
  },
)

test('a socket is refused', async () => {
  // Paths of sockets have 107 bytes at most (unix(7)).
  const listening = createServer().listen(join(folder, 's'))
  await new Promise((resolve) => listening.on('listening', resolve))
  onTestFinished(() => void listening.close())
  renameSync(join(folder, 's'), inBackup('blobs/ab/s'))
  await expectRefusal(`${inBackup('blobs/ab/s')}: it is a socket`)
})

test.for([
  ['a file', 'notes.txt'],
  ['a file beside the database', 'AT/database.sqlite-wal'],
  ['a file among the blobs', 'blobs/ab/notes.txt'],
  ['a folder', 'more/'],
  ['a folder among the blobs', 'blobs/ab/more/'],
  ['a folder in the place of a file', `${blob}/`],
])('%s that no backup has is refused', async ([, path]) => {
  const real = path!.replace('AT', readManifest().complete.folder)
  if (real.endsWith('/')) {
    rmSync(inBackup(real.slice(0, -1)), { force: true })
    mkdirSync(inBackup(real))
  } else writeFileSync(inBackup(real), 'more')
  await expectRefusal(`${inBackup(real.replace(/\/$/, ''))}: no backup has`)
})

test.for(['..', '../elsewhere', '/etc', '.', ''])(
  'a manifest that leads to the folder %j is refused',
  async (name) => {
    alter({ complete: { folder: name } })
    await expectRefusal('backup.json cannot be read')
  },
)

test.for(['../../elsewhere', '/etc/passwd', 'blobs/../../elsewhere', 'backup.json'])(
  'a list that names %s is refused',
  async (path) => {
    writeFileSync(join(folder, 'elsewhere'), 'a file')
    alter({ list: (list) => `${list}${digest}  ${path}\n` })
    await expectRefusal(`names ${path}, which is no file of a backup`)
  },
)

/** Opens the database that is backed up. */
async function openLive(): Promise<{ execute: (sql: string) => unknown; close: () => unknown }> {
  const { database } = source()
  if (database.engine === 'sqlite') {
    const live = new DatabaseSync(database.file)
    return { execute: (sql) => live.exec(sql), close: () => live.close() }
  }
  const client = new Client({ connectionString: database.url })
  await client.connect()
  return { execute: (sql) => client.query(sql), close: () => client.end() }
}

/** Puts a copy of the database that is backed up in the place of the one in the backup. */
function copyLive(): void {
  const { database } = source()
  const target = inBackup(databasePath())
  if (database.engine === 'sqlite') {
    rmSync(target)
    const live = new DatabaseSync(database.file)
    live.prepare('vacuum into ?').run(target)
    live.close()
  } else execFileSync('pg_dump', ['--format=custom', `--file=${target}`, database.url])
  sealDatabase()
}

const onTable = 'before update on datasets for each row'
test.for(
  isOnSqlite
    ? [
        ['trigger one', 'after insert on datasets begin delete from items; end', ''],
        ['view one', 'as select 1', ''],
        ['virtual table one', 'using fts5(text)', ''],
      ]
    : [
        ['view one', 'as select 1 as a', ''],
        ['materialized view one', 'as select 1 as a', ''],
        ['function one()', 'returns int language sql as $$ select 1 $$', ''],
        ['function fold_case(integer)', 'returns int language sql as $$ select 1 $$', ''],
        ['procedure one()', 'language sql as $$ select 1 $$', ''],
        ['rule one', 'as on delete to datasets do also select 1', 'on datasets'],
        [
          'trigger one',
          `${onTable} execute function suppress_redundant_updates_trigger()`,
          'on datasets',
        ],
        ['type one', 'as (a int)', ''],
        ['aggregate one(integer)', '(sfunc = int4pl, stype = integer)', ''],
        ['event trigger one', 'on ddl_command_end execute function event()', ''],
      ],
)('a database with a %s is refused, by a backup as well', async ([object, definition, table]) => {
  const live = await openLive()
  onTestFinished(() => void live.close())
  const isEvent = object!.startsWith('event')
  if (isEvent) {
    await live.execute(
      'create function event() returns event_trigger language plpgsql as $$ begin end $$',
    )
  }
  await live.execute(`create ${object} ${definition}`)
  try {
    copyLive()
    const backup = backupInstallation(source(), join(folder, 'other'), { signal })
    await expect(backup).rejects.toThrow('which Vitrine does not make')
  } finally {
    await live.execute(`drop ${object!.replace('virtual ', '')} ${table}`)
    if (isEvent) await live.execute('drop function event')
  }
  const name = isEvent
    ? 'function event()'
    : object!.replace(' one', table ? ' datasets one' : ' one')
  await expectRefusal(`has a ${isOnSqlite ? object : name}, which Vitrine does not make`)
})

test.skipIf(isOnSqlite)('a publication and extended statistics do not stop a backup', async () => {
  const live = await openLive()
  onTestFinished(() => void live.close())
  const objects = [
    ['publication one', 'for table datasets'],
    ['statistics one', 'on id, name from datasets'],
  ] as const
  for (const [object, definition] of objects) await live.execute(`create ${object} ${definition}`)
  try {
    const backup = backupInstallation(source(), join(folder, 'other'), { signal })
    expect(await backup).toMatchObject({ damaged: [] })
  } finally {
    for (const [object] of objects) await live.execute(`drop ${object}`)
  }
})
