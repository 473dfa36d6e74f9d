// @module-tag whole

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  addItem,
  ApiError,
  type Client,
  correctItem,
  createClient,
  type NewValue,
} from '@vitrine/client'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../tools/free-port.mjs'
import { buildCheckLog, hasGo } from '../../../tools/build-check-log.mjs'
import { eachInstallation } from '../../server/test/bare-installation.ts'
import { startChildServer, type ChildServer } from '../../server/test/child-server.ts'
import { forwardPort } from '../../server/test/forward-port.ts'
import { s3Credentials } from '../../server/test/test-blobs.ts'
import { times } from '../../server/test/times.ts'
import { until, untilDone } from '../../server/test/until.ts'
import { spawnVitrine } from './spawn-vitrine.ts'
import { vitrine } from './vitrine.ts'

/** Python with aics-tlog, which `npm run test:log` installs. */
const python = process.env['CHECK_LOG_PYTHON']
const checkLogPython = fileURLToPath(
  new URL('../../../tools/check-log-python/check_log.py', import.meta.url),
)

/** Proofs of inclusion and of consistency; `npm run test:log` asks for 1,000 of each. */
const proofs = times('LOG_PROOFS', { first: 40, whole: 200 })
const rowCount = 12_000
const writers = 8
const repo = 'things'

const installation = eachInstallation()
let checkLog: string

beforeAll(() => {
  if (hasGo()) checkLog = buildCheckLog()
  // Go compiles its own library where it has built nothing before.
}, 900_000)

/** Report of `tools/check-log`, which verifies by Go's packages. */
type Report = {
  key: string
  origin: string
  size: number
  root: string
  tiles: number
  entries: number
  items: number
  inclusions: number
  consistent: number
  corrections: number
  policies: number
  sizes: number[]
  refused: Record<string, number>
}

/** A server behind an address that stays, whatever process answers there. */
type Place = {
  client: Client
  /** Starts it again, on other engines where they are told. */
  start: (engines?: { dataDir: string; env: Record<string, string> }) => Promise<ChildServer>
  /** Verifies the log of a repository, or the audit log, by Go's packages, and what was verified `before`. */
  check: (before?: Report, log?: 'repo' | 'audit') => Promise<Report>
  /** Verifies by Python what was verified by Go. */
  checkByPython: (report: Report, log?: 'repo' | 'audit') => Promise<void>
  importRows: (round: number, count?: number) => ReturnType<typeof spawnVitrine>
}

async function openPlace(own: { dataDir: string; env: Record<string, string> }): Promise<Place> {
  const { issuer } = installation()
  const token = await issuer.token()
  const forwarded = await forwardPort()
  onTestFinished(forwarded.close)
  const url = `http://localhost:${forwarded.port}`
  const env = { ...process.env, VITRINE_TOKEN: token }
  const wordsOf = (log: 'repo' | 'audit', before: Report | undefined) => {
    const words = ['-server', url, '-repo', log === 'repo' ? repo : '', '-proofs', String(proofs)]
    if (before === undefined) return words
    return [...words, '-key', before.key, '-before', `${before.size}:${before.root}`]
  }
  return {
    client: createClient({ baseUrl: url, token: () => token, retries: 0 }),
    start: async ({ dataDir, env } = own) => {
      const port = await freePort()
      const address = {
        VITRINE_PORT: String(port),
        VITRINE_PUBLIC_URL: url,
        VITRINE_ADMINS: 'alice',
      }
      const server = await startChildServer({ dataDir, issuer, env: { ...env, ...address } })
      forwarded.target = port
      return server
    },
    check: async (before, log = 'repo') => {
      const { stdout } = await promisify(execFile)(checkLog, wordsOf(log, before), { env })
      return JSON.parse(stdout) as Report
    },
    checkByPython: async (report, log = 'repo') => {
      if (python === undefined) return
      const words = [checkLogPython, ...wordsOf(log, report)]
      const { stdout } = await promisify(execFile)(python, words, { env })
      const { key, origin, size, root } = report
      expect(JSON.parse(stdout)).toMatchObject({ key, origin, size, root, proofs })
      console.info(stdout)
    },
    importRows: (round, length = rowCount) => {
      const rows = Array.from({ length }, (_, at) => ({
        title: `“${round}”\\${at}`,
        count: at,
      }))
      const file = join(own.dataDir, 'rows.ndjson')
      writeFileSync(file, rows.map((row) => JSON.stringify(row)).join('\n'))
      return spawnVitrine(['import', repo, file, '--key', `round-${round}`], {
        VITRINE_SERVER: url,
        VITRINE_TOKEN: token,
      })
    },
  }
}

const schema = [
  { name: 'title', type: 'string', length: 100 },
  { name: 'count', type: 'integer', optional: true },
  { name: 'after', type: 'reference', target: repo, optional: true },
  { name: 'file', type: 'binary', mime: 'text/plain', optional: true },
]

async function describe(client: Client): Promise<void> {
  await client.repoCreate({ body: { name: repo, schema } })
}

/** Adds an item, with a file and what refers to another item. */
async function add(client: Client, at: number, more: Record<string, string> = {}): Promise<void> {
  const values: Record<string, NewValue> = {
    title: `item ${at}`,
    file: new Blob([`bytes ${at}`], { type: 'text/plain' }),
    ...more,
  }
  if (at > 0) values['after'] = '1'
  await addItem(client, repo, values)
}

/** Adds items one after the other until the server is gone. */
async function addUntilGone(client: Client, writer: number): Promise<void> {
  for (let at = 1; ; at += 1) {
    try {
      const isBusy = (error: unknown) => error instanceof ApiError && error.status === 503
      await untilDone(() => add(client, writer * 1_000_000 + at), isBusy)
    } catch (error) {
      if (error instanceof ApiError && error.status === 0) return
      throw error
    }
  }
}

const expectWhole = (report: Report, count: number) => {
  expect(report).toMatchObject({
    size: count,
    items: count,
    inclusions: proofs,
    consistent: proofs,
    origin: expect.stringMatching(/^localhost:\d+\/api\/repo\/things\.[0-9a-f]{10}\/log$/),
  })
  console.info(JSON.stringify(report))
}

test.skipIf(!hasGo())(
  'Go verifies the log after inserts, imports, kills amid both, and an extended schema',
  { timeout: 900_000 },
  async () => {
    const place = await openPlace(installation())
    const { client } = place
    let server = await place.start()
    await describe(client)
    const count = async () => (await client.datasetCount({ datasetId: repo })).totalItems
    for (let at = 0; at < 5; at += 1) await add(client, at)
    let verified = await place.check()
    expectWhole(verified, 5)

    for (const [round, share] of [0.5, 1.5].entries()) {
      const before = await count()
      let importing = place.importRows(round)
      const writing = Array.from({ length: writers }, (_, writer) => addUntilGone(client, writer))
      // In the midst of checking the rows, and then of publishing them.
      const steps = Math.random() * 0.4 * rowCount + share * rowCount
      const progress = () =>
        client.importGet({ datasetId: repo, importKey: `round-${round}` }).then(
          ({ rows, publishedRows }) => rows + publishedRows,
          () => 0,
        )
      await until(async () => (await progress()) >= steps || importing.child.exitCode !== null)
      await until(async () => (await count()) > before)
      await server.kill()
      await Promise.all(writing)
      server = await place.start()
      let outcome = await importing.ended
      // Without a server when it looked.
      while (outcome.code === 7) {
        importing = place.importRows(round)
        outcome = await importing.ended
      }
      expect(outcome.code, outcome.stderr).toBe(0)
      expect(await count()).toBeGreaterThan(before + rowCount)
      verified = await place.check(verified)
      expectWhole(verified, await count())
    }

    const note = { name: 'note', type: 'string', length: 20, optional: true }
    const extended = { name: repo, schema: [...schema, note] }
    await client.repoExtend({ datasetId: repo, body: extended })
    for (let at = 5; at < 10; at += 1) await add(client, at, { note: `note ${at}` })
    const corrected = await correctItem(client, repo, 1, {
      values: { title: 'item “0”', file: null },
      reason: 'a typing error',
    })
    for (const itemId of [corrected, 2, 3]) {
      await client.itemWithdraw({ datasetId: repo, itemId, body: { reason: 'added twice' } })
    }
    // Beyond the 256 x 256 entries of a tile of the level above.
    const { code } = await place.importRows(2, 65_636 - (await count())).ended
    expect(code).toBe(0)
    const last = await place.check(verified)
    expectWhole(last, await count())
    const edges = [1, 2, 255, 256, 257, 511, 512, 513, 65_535, 65_536, 65_537, 65_636]
    expect(last).toMatchObject({ corrections: 4, policies: 1, sizes: edges })
    await place.checkByPython(last)
    await server.kill()
  },
)

const expectAudited = (report: Report, count: number) => {
  expect(report).toMatchObject({
    size: count,
    entries: count,
    consistent: proofs,
    origin: expect.stringMatching(/^localhost:\d+\/api\/audit\.[0-9a-f]{10}\/log$/),
  })
  console.info(JSON.stringify(report))
}

test.skipIf(!hasGo())(
  'a copy to other engines has the same log, and goes on with it under the same key',
  { timeout: 900_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const from = join(folder, 'data')
    // On SQLite and files, whatever the target is.
    const place = await openPlace({ dataDir: from, env: {} })
    const { client } = place
    const source = await place.start()
    await describe(client)
    for (let at = 0; at < 5; at += 1) await add(client, at)
    expect(await place.importRows(0).ended).toMatchObject({ code: 0 })
    for (let at = 5; at < 10; at += 1) await add(client, at)
    const before = await place.check()
    const act = async (count: number) => {
      const body = { name: 'ci', scope: 'read' as const, expiresAt: null }
      for (let made = 0; made < count; made += 1) await client.tokenCreate({ body })
    }
    await act(600)
    const audited = await place.check(undefined, 'audit')
    expectAudited(audited, 602)
    await source.kill()

    const { dataDir, env } = installation()
    const words = [
      'copy',
      `--from=${from}`,
      `--to-database=${env['VITRINE_DATABASE_URL'] ?? `sqlite:${dataDir}/vitrine.db`}`,
      `--to-blobs=${env['VITRINE_BLOB_URL'] ?? `file:${dataDir}/blobs`}`,
    ]
    expect(await vitrine(words, { env: s3Credentials() })).toMatchObject({ code: 0 })

    const copied = await place.start({ dataDir, env })
    const { key, origin, root, size } = await place.check(before)
    expect({ key, origin, root, size }).toEqual({
      key: before.key,
      origin: before.origin,
      root: before.root,
      size: rowCount + 10,
    })
    await add(client, 10)
    const now = await place.check(before)
    expectWhole(now, rowCount + 11)
    await place.checkByPython(now)
    await act(1)
    const last = await place.check(audited, 'audit')
    expectAudited(last, 603)
    expect(last.origin).toBe(audited.origin)
    await place.checkByPython(last, 'audit')
    await copied.kill()
  },
)
