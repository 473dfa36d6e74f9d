import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Client } from '@vitrine/client'
import { describe, expect, test } from 'vitest'
import { parseBlobAddress } from '../src/blobs/address.ts'
import { openBlobs } from '../src/blobs/open-blobs.ts'
import { startChildServer, type ChildServer } from './child-server.ts'
import { findingsAfterCollection } from './findings.ts'
import { startIssuer } from './issuer.ts'
import { sha256 } from './photos.ts'
import { startS3Proxy, type Fault } from './s3-proxy.ts'
import { isOnS3, ownS3Url } from './test-blobs.ts'
import { createTestDatabase, isOnSqlite } from './test-database.ts'

/** More of them make a soak. */
const seconds = Number(process.env['FAILING_S3_SECONDS'] ?? 15)
const writers = 16
const faults: Fault[] = ['internal', 'slow-down', 'reset', 'lost', 'cut']
const datasetId = 'files'

/** What a client meets of a process that is gone, or of a store that fails. */
const isPassing = (error: unknown) => [0, 503].includes((error as { status?: number }).status ?? -1)

async function untilDone<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!isPassing(error)) throw error
      await sleep(50)
    }
  }
}

describe.skipIf(!isOnS3 || isOnSqlite)(
  'three processes, while S3 fails and they are killed',
  () => {
    test('lose nothing that they acknowledged', { timeout: seconds * 1000 + 240_000 }, async () => {
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
      const end = Date.now() + seconds * 1000
      const write = async (writer: number) => {
        for (let round = 0; Date.now() < end; round += 1) {
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
        while (Date.now() < end - 3000) {
          await sleep(1500 + Math.random() * 1500)
          const slot = Math.floor(Math.random() * servers.length)
          await servers[slot]!.kill()
          servers[slot] = await start(slot)
          clients[slot] = clientOf(servers[slot])
        }
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
