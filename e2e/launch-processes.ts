import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestBlobs } from '../packages/server/test/test-blobs.ts'
import { createTestDatabase } from '../packages/server/test/test-database.ts'
import { startRoundRobin } from '../tools/round-robin.ts'
import { launchServer, type LaunchedServer } from './launch-server.ts'

function refuse(): never {
  throw new Error('Launch a server of its own, which is on SQLite and files.')
}

/**
 * Starts processes of one installation, on the engines that the environment names, behind one address: each request
 * goes to another one.
 */
export async function launchProcesses(
  count: number,
  env: Record<string, string> = {},
): Promise<LaunchedServer> {
  const opened = new AsyncDisposableStack()
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-e2e-'))
  opened.defer(() => rmSync(dataDir, { recursive: true }))
  const database = await createTestDatabase(dataDir)
  opened.defer(database.drop)
  const blobs = createTestBlobs(dataDir)
  const roundRobin = await startRoundRobin()
  const { port } = roundRobin
  const url = `http://localhost:${port}`
  const shared = {
    ...database.env,
    ...blobs.env,
    ...env,
    VITRINE_PUBLIC_URL: url,
  }
  const servers = await Promise.all(Array.from({ length: count }, () => launchServer(shared)))
  for (const { remove } of servers) opened.defer(remove)
  opened.defer(() => roundRobin.close())
  const targets = servers.map((server) => server.port)
  roundRobin.targets = targets
  return {
    url,
    port,
    putBlob: blobs.put,
    changeDatabase: refuse,
    forgetSigned: refuse,
    user: (...words) => servers[0]!.user(...words),
    kill: async () => {
      roundRobin.targets = []
      for (const { kill } of servers) await kill()
    },
    start: async () => {
      await Promise.all(servers.map(({ start }) => start()))
      roundRobin.targets = targets
    },
    remove: () => opened.disposeAsync(),
  }
}
