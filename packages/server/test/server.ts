import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@vitrine/client'
import { readConfig, startServer, type StartOptions } from '../src/start.ts'
import type { UpkeepBounds } from '../src/upkeep/upkeep.ts'
import type { Scrubbed } from '../src/upkeep/verify/scrub.ts'
import { chosenEngines, type Engines } from './engines.ts'
import { forwardPort } from './forward-port.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'
import { startIssuer, type Issuer } from './issuer.ts'
import { patient } from './patient.ts'
import { noteProvoked } from './provoked.ts'
import type { Content } from './template.ts'
import { createTestBlobs, type TestBlobs } from './test-blobs.ts'

export type TestServer = {
  /** Such as `http://127.0.0.1:40123`. */
  url: string
  dataDir: string
  blobs: TestBlobs
  database: TestDatabase
  issuer: Issuer
  /** The product's own client, signed in as the issuer's `alice`. */
  client: Client
  /** A request as it is written, with a token unless `token` is null. */
  request: (path: string, init?: RequestInit & { token?: string | null }) => Promise<Response>
  /** The server's own upkeep, run now; without bounds nothing is left alone. */
  upkeep: (bounds?: Partial<UpkeepBounds>) => Promise<number>
  /** The server's own scrub, run now: what is due of a round of 30 days, or of so many milliseconds. */
  scrub: (roundMs?: number) => Promise<Scrubbed>
  /**
   * Stops and starts again on the same data and address, with other variables where some are given; only where
   * `restarts` says that a test may.
   * @param meanwhile done while it is stopped
   */
  restart: (changed?: Record<string, string>, meanwhile?: () => Promise<void>) => Promise<void>
  close: () => Promise<void>
}

export type TestServerOptions = StartOptions & {
  engines?: Engines
  content?: Content
  /** Whether the test starts it again. */
  restarts?: boolean
}

/** Starts the real server on a temporary data folder, with a real issuer of tokens. */
export async function startTestServer(
  env: Record<string, string> = {},
  {
    engines = chosenEngines,
    content = 'tables',
    restarts = false,
    ...options
  }: TestServerOptions = {},
): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-'))
  const blobs = createTestBlobs(dataDir, engines)
  const database = await createTestDatabase(dataDir, engines, content)
  const issuer = await startIssuer()
  const forwarded = restarts ? await forwardPort() : undefined
  const start = async (changed: Record<string, string> = {}) => {
    const server = await startServer(
      readConfig({
        VITRINE_PORT: '0',
        ...(forwarded && { VITRINE_PUBLIC_URL: `http://localhost:${forwarded.port}` }),
        VITRINE_DATA_DIR: dataDir,
        VITRINE_OIDC_AUTHORITY: issuer.issuer,
        VITRINE_OIDC_CLIENT_ID: issuer.clientId,
        VITRINE_OIDC_AUDIENCE: issuer.audience,
        VITRINE_LOG_LEVEL: 'silent',
        ...blobs.env,
        ...database.env,
        ...env,
        ...changed,
      }),
      { ...patient, ...options },
    )
    if (forwarded) forwarded.target = server.port
    return server
  }
  let running = await start()
  const url = `http://127.0.0.1:${forwarded?.port ?? running.port}`
  const token = await issuer.token()
  const stopNoting = noteProvoked(url)

  return {
    url,
    dataDir,
    blobs,
    database,
    issuer,
    client: createClient({ baseUrl: url, token: () => token }),
    request: (path, { token: own = token, ...init } = {}) => {
      const headers = new Headers(init.headers)
      if (own !== null) headers.set('authorization', `Bearer ${own}`)
      return fetch(`${url}${path}`, { redirect: 'manual', ...init, headers })
    },
    upkeep: (bounds) =>
      running.upkeep({
        insertKeptMs: bounds === undefined ? 0 : 3_600_000,
        blobGraceMs: 0,
        orphanGraceMs: 0,
        explorationIdleMs: 3_600_000,
        ...(bounds === undefined && { deletedRestMs: 0 }),
        ...bounds,
      }),
    scrub: (roundMs) => running.scrub(roundMs),
    restart: async (changed, meanwhile) => {
      if (!forwarded) throw new Error('start this server with { restarts: true }')
      forwarded.target = undefined
      await running.close()
      await meanwhile?.()
      running = await start(changed)
    },
    close: async () => {
      stopNoting()
      await running.close()
      await forwarded?.close()
      await issuer.close()
      await database.drop()
      rmSync(dataDir, { recursive: true })
    },
  }
}
