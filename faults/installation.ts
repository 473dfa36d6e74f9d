import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@vitrine/client'
import type { Finding } from '../packages/server/src/upkeep/verify/check-installation.ts'
import { findings } from '../packages/server/test/findings.ts'
import { startIssuer } from '../packages/server/test/issuer.ts'
import { createTestBlobs, type TestBlobs } from '../packages/server/test/test-blobs.ts'
import { createTestDatabase } from '../packages/server/test/test-database.ts'
import { startServerProcess, type ServerProcess } from './server-process.ts'

/** Data of an installation, and the processes that serve it. */
export type Installation = {
  dataDir: string
  blobs: TestBlobs
  processes: ServerProcess[]
  /** Environment of a server, or a command, of the installation. */
  env: Record<string, string>
  /** Starts the processes that do not run. */
  start: (under?: readonly string[]) => Promise<void>
  /** Ends the processes without a warning. */
  kill: (processes?: readonly ServerProcess[]) => Promise<void>
  /** Calls that are made once, each of one process after the other. */
  client: (index?: number) => Client
  /** Calls that are repeated where that is safe; of another server than the first, by its address. */
  patientClient: (url?: string) => Client
  /** Checks everything that is kept, down to the last byte. */
  check: () => Promise<Finding[]>
}

/**
 * Opens an installation on the engines that the environment chooses.
 * @param folder where its data is; a temporary one when left out
 */
export async function openInstallation(
  opened: AsyncDisposableStack,
  { folder, processes: count = 1 }: { folder?: string; processes?: number } = {},
): Promise<Installation> {
  const base = mkdtempSync(join(tmpdir(), 'vitrine-faults-'))
  opened.defer(() => rmSync(base, { recursive: true, force: true }))
  const dataDir = folder ?? join(base, 'data')
  mkdirSync(dataDir, { recursive: true })
  const blobs = createTestBlobs(dataDir)
  const database = await createTestDatabase(dataDir)
  opened.defer(database.drop)
  const issuer = await startIssuer()
  opened.defer(issuer.close)
  const token = await issuer.token()
  const processes: ServerProcess[] = []
  let turn = 0

  const urlOf = (index: number) => processes[index % processes.length]!.url
  const env = {
    ...database.env,
    ...blobs.env,
    VITRINE_DATA_DIR: dataDir,
    VITRINE_OIDC_AUTHORITY: issuer.issuer,
    VITRINE_OIDC_CLIENT_ID: issuer.clientId,
    VITRINE_OIDC_AUDIENCE: issuer.audience,
    VITRINE_LOG_LEVEL: 'error',
    // What is deleted makes room at once.
    VITRINE_DELETED_DAYS: '0',
  }
  const installation: Installation = {
    dataDir,
    blobs,
    processes,
    env,
    start: async (under = []) => {
      for (let index = 0; index < count; index += 1) {
        if (processes[index]?.hasEnded() === false) continue
        processes[index] = await startServerProcess({
          under,
          log: join(base, 'server.log'),
          env: {
            ...env,
            VITRINE_DATA_DIR: count === 1 ? dataDir : join(dataDir, String(index)),
          },
        })
      }
    },
    kill: async (victims = processes) => {
      for (const victim of victims) victim.signal('SIGKILL')
      await Promise.all(victims.map(({ ended }) => ended))
    },
    client: (index) => {
      turn += 1
      return createClient({ baseUrl: urlOf(index ?? turn), token: () => token, retries: 0 })
    },
    patientClient: (url = urlOf(0)) => createClient({ baseUrl: url, token: () => token }),
    check: async () => findings({ database, blobs: await blobs.open() }),
  }
  opened.defer(() => installation.kill())
  return installation
}
