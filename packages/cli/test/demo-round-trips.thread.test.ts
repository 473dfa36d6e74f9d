// @module-tag whole

import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type Client, exportDataset } from '@vitrine/client'
import { readConfig, startServer, type RunningServer } from '@vitrine/server'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { expectRoundTrip, roundTripFormats } from '../../server/test/round-trip.ts'
import { oneFolder } from '../../server/test/engines.ts'
import { patient } from '../../server/test/patient.ts'
import { createTestDatabase } from '../../server/test/test-database.ts'
import { connect } from '../src/demo/connect.ts'
import { fetchSets } from '../src/demo/fetch-sets.ts'
import { loadDemo } from '../src/demo/load-demo.ts'
import { writeDemoSets } from './demo-sets.ts'
import { openInstallation } from './installation.ts'
import { createIo } from './vitrine.ts'

/** `npm run test:round-trips` takes the published sets, which are fetched from npm. */
const isWhole = process.env['ROUND_TRIP_DEMO'] === 'whole'
const wholeSets = join(import.meta.dirname, '../../../.cache/demo')
const minutes = isWhole ? 20 : 3

const repos = ['regions', 'countries', 'cities', 'emoji_categories', 'emoji']

let folder: string
let server: RunningServer
let client: Client

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  const dataDir = join(folder, 'data')
  const env = { VITRINE_DATA_DIR: dataDir, VITRINE_PORT: '0', VITRINE_LOG_LEVEL: 'silent' }
  await createTestDatabase(dataDir, oneFolder, 'account')
  server = await startServer(readConfig(env), patient)
  const io = createIo({ env })
  const opened = await connect({ io, server: server.url, username: 'admin', token: undefined })
  client = opened.client
  let setsDir = join(folder, 'sets')
  if (isWhole) setsDir = await fetchSets(wholeSets, io)
  else writeDemoSets(setsDir)
  const loaded = await loadDemo(opened, {
    setsDir,
    cityCount: undefined,
    showProgress: () => ({ step: () => {}, stop: () => {} }),
    signal: new AbortController().signal,
  })
  expect(loaded.repos).toBe(repos.length)
}, minutes * 60_000)

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

test.each(roundTripFormats)(
  'the demo data goes out as %s and comes back as it was',
  { timeout: minutes * 60_000 },
  async (format) => {
    const counts: Record<string, number> = {}
    for (const repo of repos) counts[repo] = await expectRoundTrip(client, repo, format)
    expect(Object.values(counts).every((count) => count > 0)).toBe(true)
    if (isWhole) console.info(format, counts)
  },
)

/** Rows of a dataset by what is the same on each server: values, and seals in the place of the items that they refer to. */
async function rowsOf(from: Client, datasetId: string): Promise<string[]> {
  const rows: string[] = []
  const bytes = exportDataset(from, datasetId, { format: 'ndjson', integrity: true })
  for (const line of (await text(Readable.from(bytes))).split('\n').filter(Boolean)) {
    const row = JSON.parse(line) as Record<string, unknown>
    const references = Object.keys(row).filter((column) => `${column}.seal` in row)
    for (const column of ['id', 'createdAt', ...references]) {
      delete row[column]
      delete row[`${column}.sha256`]
    }
    rows.push(JSON.stringify(row))
  }
  return rows
}

test(
  'views of the demo arrive on another installation, with references to the items that are equal',
  { timeout: minutes * 60_000 },
  async () => {
    const there = await openInstallation()
    onTestFinished(() => there.close())
    await there.login()
    const names = (await client.datasetList({ pageSize: 100 })).map(({ name }) => name)
    const views = names.filter((name) => !repos.includes(name))
    expect(views.length).toBeGreaterThan(3)
    const key = (await (await client.logKey({})).text()).trim()
    const nowhere = { env: { VITRINE_SERVER: 'http://localhost:9' } }
    let differing = 0
    for (const [at, name] of views.entries()) {
      const file = join(folder, `${name}.zip`)
      const bundle = exportDataset(client, name, { format: 'bundle' })
      await writeFile(file, Readable.from(bundle))
      const verified = await there.run(['verify', file, '--key', key], nowhere)
      expect(verified, name).toMatchObject({ code: 0, stderr: '' })
      const imported = await there.run(['import', file, '--prefix', `v${at}-`])
      expect(imported, name).toMatchObject({ code: 0 })
      const arrived = `v${at}-${name}`
      expect(await rowsOf(there.client(), arrived), name).toEqual(await rowsOf(client, name))
      const ids = await Promise.all(
        [client, there.client()].map((each, place) =>
          each.datasetItemList({ datasetId: place === 0 ? name : arrived, pageSize: 100 }),
        ),
      )
      const [ours, theirs] = ids.map((items) => items.map(({ id }) => id).join())
      if (ours !== theirs) differing += 1
    }
    expect(differing).toBeGreaterThan(0)
    if (isWhole) console.info(`${views.length} views, of ${differing} the ids differ`)
  },
)
