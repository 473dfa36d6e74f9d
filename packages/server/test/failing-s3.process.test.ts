// @module-tag whole
// @module-tag blobs

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@vitrine/client'
import { describe, expect, test } from 'vitest'
import { parseBlobAddress } from '../src/config.ts'
import { openBlobs } from '../src/blobs/open-blobs.ts'
import { startChildServer, type ChildServer } from './child-server.ts'
import { findingsAfterCollection } from './findings.ts'
import { startIssuer } from './issuer.ts'
import { sha256 } from './photos.ts'
import { startS3Proxy, type Fault } from './s3-proxy.ts'
import { isOnS3, ownS3Url } from './test-blobs.ts'
import { createTestDatabase, isOnSqlite } from './test-database.ts'
import { until, untilDone as untilSettled } from './until.ts'

/** More of them make a soak. */
const kills = Number(process.env['FAILING_S3_KILLS'] ?? 4)
/** Commits acknowledged at most from one kill to the next. */
const commitsMax = 50
const writers = 16
const faults: Fault[] = ['internal', 'slow-down', 'reset', 'lost', 'cut']
const datasetId = 'files'

/** Whether a client's error comes of a process that is gone, or of a store that fails. */
const isPassing = (error: unknown) => [0, 503].includes((error as { status?: number }).status ?? -1)

const untilDone = <T>(attempt: () => Promise<T>) => untilSettled(attempt, isPassing)

describe.skipIf(!isOnS3 || isOnSqlite)(
  'three processes, while S3 fails and they are killed',
  () => {
    test('lose nothing that they acknowledged', { timeout: kills * 60_000 + 240_000 }, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
      await using cleaning = new AsyncDisposableStack()
      cleaning.defer(() => rmSync(folder, { recursive: true }))
      const database = await createTestDatabase(folder)
      cleaning.defer(database.drop)
      const issuer = await startIssuer()
      cleaning.defer(issuer.close)
      const proxy = await startS3Proxy()
      cleaning.defer(proxy.close)
      const env = { ...database.env, VITRINE_BLOB_URL: ownS3Url(proxy.endpoint) }
      const token = await issuer.token()
      const start = (slot: number) =>
        startChildServer({ dataDir: join(folder, `data-${slot}`), issuer, env })
      const clientOf = ({ url }: ChildServer) =>
        createClient({ baseUrl: url, token: () => token, retries: 0 })
      const servers = await Promise.all([0, 1, 2].map(start))
      const killAll = () => Promise.all(servers.map(({ kill }) => kill())).then(() => undefined)
      cleaning.defer(killAll)
      const clients = servers.map(clientOf)
      let turn = 0
      const next = (): Client => clients[(turn += 1) % clients.length]!
      const schema = [{ name: 'file', type: 'binary', mime: 'text/plain' }]
      await untilDone(() => next().repoCreate({ body: { name: datasetId, schema } }))

      proxy.fault = () =>
        Math.random() < 0.1 ? faults[Math.floor(Math.random() * faults.length)] : undefined
      const acknowledged = new Map<number, string>()
      const over = new AbortController()
      const write = async (writer: number) => {
        for (let round = 0; !over.signal.aborted; round += 1) {
          const text = `content ${round % 3 === 0 ? round : `${writer} ${round}`}`
          const { id: itemId } = await untilDone(() => next().insertBegin({ datasetId }))
          await untilDone(() => {
            const body = new FormData()
            body.append('file', new Blob([text], { type: 'text/plain' }))
            return next().insertUpload({ datasetId, itemId, body })
          })
          const integrity = { file: { sha256: sha256(text) } }
          await untilDone(() => next().insertCommit({ datasetId, itemId, body: { integrity } }))
          acknowledged.set(itemId, sha256(text))
        }
      }
      const killNowAndThen = async () => {
        for (let killed = 0; killed < kills; killed += 1) {
          const enough = acknowledged.size + Math.random() * commitsMax
          await until(() => acknowledged.size >= enough)
          const slot = Math.floor(Math.random() * servers.length)
          await servers[slot]!.kill()
          // Whoever supervises it starts it again where S3 fails just then.
          servers[slot] = await untilSettled(
            () => start(slot),
            () => true,
          )
          clients[slot] = clientOf(servers[slot])
        }
        over.abort()
      }
      await Promise.all([
        killNowAndThen(),
        ...Array.from({ length: writers }, (_, writer) => write(writer)),
      ])
      proxy.fault = () => undefined
      console.log(
        `${acknowledged.size} commits, ${proxy.requests.filter(({ fault }) => fault).length} of ${proxy.requests.length} requests to S3 failed`,
      )

      const { totalItems } = await untilDone(() => next().datasetCount({ datasetId }))
      expect(totalItems).toBe(acknowledged.size)
      await killAll()
      const blobs = await openBlobs({
        blobs: parseBlobAddress(env.VITRINE_BLOB_URL)!,
        dataDir: folder,
      })
      expect(await findingsAfterCollection({ database, blobs })).toEqual([])
      const kept = new Set<string>()
      for await (const { sha256: digest } of blobs.list()) kept.add(digest)
      expect(kept).toEqual(new Set(acknowledged.values()))
    })
  },
)
