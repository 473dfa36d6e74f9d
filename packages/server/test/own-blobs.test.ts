// @module-tag engines

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { adoptBlobs } from '../src/blobs/maintain-blobs.ts'
import { showBlobAddress } from '../src/config.ts'
import { createRepo } from '../src/datasets/create-repo.ts'
import { findInstallation } from '../src/store/installation.ts'
import { ConfigError, readConfig, startServer, type RunningServer } from '../src/start.ts'
import { patient } from './patient.ts'
import { sha256 } from './photos.ts'
import { createTestBlobs, type TestBlobs } from './test-blobs.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

let folder: string
let blobs: TestBlobs
/** The installation's own database, and that of another one. */
let own: TestDatabase
let other: TestDatabase
let running: RunningServer[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  blobs = createTestBlobs(folder)
  own = await createTestDatabase(join(folder, 'own'))
  other = await createTestDatabase(join(folder, 'other'))
  running = []
})

afterEach(async () => {
  for (const server of running) await server.close()
  await own.drop()
  await other.drop()
  rmSync(folder, { recursive: true })
})

async function start(database: TestDatabase): Promise<RunningServer> {
  const { address } = database
  const server = await startServer(
    readConfig({
      VITRINE_PORT: '0',
      VITRINE_DATA_DIR: folder,
      VITRINE_OIDC_AUTHORITY: 'https://issuer.example',
      VITRINE_LOG_LEVEL: 'silent',
      VITRINE_DATABASE_URL: address.engine === 'sqlite' ? `sqlite:${address.file}` : address.url,
      ...blobs.env,
    }),
    patient,
  )
  running.push(server)
  return server
}

async function startAndStop(database: TestDatabase): Promise<void> {
  const server = await start(database)
  running = running.filter((one) => one !== server)
  await server.close()
}

async function refusalOf(database: TestDatabase): Promise<string> {
  const refused = await startAndStop(database).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(refused).toBeInstanceOf(ConfigError)
  return (refused as Error).message
}

const texts = Array.from({ length: 60 }, (_, number) => `file ${number}`)
const digests = texts.map(sha256).toSorted()

const fillStore = () => Promise.all(texts.map((text) => blobs.put(sha256(text), text)))

/** Notes the files as blobs that items hold. */
const fillDatabase = (database: TestDatabase, known = texts) =>
  database.use(async (store) => {
    const alice = { issuer: 'https://issuer.example', subject: 'alice' }
    const schema = [{ name: 'file', type: 'binary', mime: 'text/plain' }]
    await createRepo(store, { name: 'files', schema }, { identity: alice, visibility: 'all' })
    await store.write(async (transaction) => {
      const rows = known.map((text) => ({ sha256: sha256(text), size: text.length, created_at: 1 }))
      await transaction
        .insertInto('blobs')
        .values(rows.map((row) => ({ ...row, state: 'live' as const })))
        .execute()
      await transaction
        .insertInto('blob_references')
        .values(rows.map((row, index) => ({ sha256: row.sha256, dataset_id: 1, item_id: index })))
        .execute()
    })
  })

const installationOf = (database: TestDatabase) =>
  database.use((store) => findInstallation(store.reads))
const ownerOf = async () => (await blobs.open()).owner.read()

const adopt = (database: TestDatabase) =>
  database.use(async (store) => adoptBlobs({ store, blobs: await blobs.open() }))

describe('a start belongs to one installation', () => {
  test('a new installation gives one id to database and blobs, whoever starts first', async () => {
    const [first, second] = await Promise.all([blobs.open(), blobs.open()])
    expect(await first.owner.read()).toBeUndefined()
    await startAndStop(own)
    const id = await installationOf(own)
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(await ownerOf()).toBe(id)
    expect(await second.owner.claim('another')).toBe(id)
    await startAndStop(own)
    expect(await installationOf(own)).toBe(id)
  })

  test('a filled store beside a new database is refused, and nothing is lost', async () => {
    await fillStore()
    const message = await refusalOf(other)
    expect(message).toContain(showBlobAddress(blobs.address))
    expect(message).toMatch(/knows 0 of 60 files .* vitrine blobs adopt/)
    expect(await blobs.list()).toEqual(digests)
    expect(await installationOf(other)).toBeUndefined()
  })

  test('the store of another installation is refused, and both are named', async () => {
    await fillStore()
    await fillDatabase(own)
    await startAndStop(own)
    const id = (await installationOf(own))!
    expect(await refusalOf(other)).toContain(
      `belong to installation ${id}, and the database to none`,
    )

    const elsewhere = createTestBlobs(join(folder, 'elsewhere'))
    await other.use(async (store) => adoptBlobs({ store, blobs: await elsewhere.open() }))
    const otherId = (await installationOf(other))!
    expect(await refusalOf(other)).toContain(
      `belong to installation ${id}, the database to installation ${otherId}`,
    )
    expect(await blobs.list()).toEqual(digests)
    // And the right one starts as before.
    await startAndStop(own)
  })

  test('an empty store beside a database that knows files is refused', async () => {
    await fillDatabase(own)
    expect(await refusalOf(own)).toMatch(
      /There are no files in .* check that the volume is mounted/,
    )
  })

  test('an installation of before, which knows its files, starts as it did', async () => {
    await fillStore()
    await fillDatabase(own, texts.slice(0, 31))
    const server = await start(own)
    await server.upkeep()
    expect(await ownerOf()).toBe(await installationOf(own))
    // The others are bytes without a row, and have their grace from now on.
    expect(await blobs.list()).toEqual(digests)
  })

  test('a blob store can be adopted by another database, and then refuses the previous one', async () => {
    await fillStore()
    await fillDatabase(own)
    await startAndStop(own)
    const before = await installationOf(own)
    const adopted = await adopt(other)
    expect(adopted).toEqual({ id: await installationOf(other), before })
    await startAndStop(other)
    expect(await refusalOf(own)).toContain(`belong to installation ${adopted.id}`)
    expect(await blobs.list()).toEqual(digests)
  })
})
