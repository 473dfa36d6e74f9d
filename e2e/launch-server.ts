import { execFile, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { expect } from '@playwright/test'
import { forwardPort } from '../packages/server/test/forward-port.ts'
import { admin } from '../packages/server/test/admin.ts'
import { oneFolder } from '../packages/server/test/engines.ts'
import { createTestBlobs } from '../packages/server/test/test-blobs.ts'
import { createTestDatabase } from '../packages/server/test/test-database.ts'
import type { Ready } from './serve.ts'

export { admin }

/** The real server in a process of its own, on a data folder of its own. */
export type LaunchedServer = {
  /** Public URL. */
  url: string
  /** Port that it listens on. */
  port: number
  /** Puts any bytes under a digest, as a damaged disk would. */
  putBlob: (sha256: string, bytes: Buffer) => Promise<void>
  /** Changes its database behind its back, where that is SQLite, by a statement that must find something. */
  changeDatabase: (statement: string) => void
  /** Takes away what it has signed of logs, as whoever can change its database may do too. */
  forgetSigned: () => void
  /** Runs `vitrine user …` on its data, in another process; resolves with what it printed. */
  user: (...words: string[]) => Promise<string>
  /** Ends it without a warning, as a crash would. */
  kill: () => Promise<void>
  /** Starts it again on the same data and address. */
  start: () => Promise<void>
  /** Ends it and removes its data. */
  remove: () => Promise<void>
}

export async function launchServer(env: Record<string, string> = {}): Promise<LaunchedServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-e2e-'))
  // Copied, with the account and the keys that a first start takes a second to make.
  if (env['VITRINE_DATABASE_URL'] === undefined) {
    await createTestDatabase(dataDir, oneFolder, 'account')
  }
  const forwarded = await forwardPort()
  const { port } = forwarded
  const shared = {
    PATH: process.env['PATH'],
    // A third of the processor's time of a start is reading TypeScript.
    NODE_COMPILE_CACHE: join(import.meta.dirname, '..', '.cache', 'compiled'),
    VITRINE_DATA_DIR: dataDir,
    VITRINE_ADMIN_PASSWORD: admin.password,
    VITRINE_PORT: '0',
    VITRINE_PUBLIC_URL: `http://localhost:${port}`,
    VITRINE_LOG_LEVEL: 'warn',
    ...env,
  }
  let log = ''
  const run = async (): Promise<Ready & { child: ChildProcess }> => {
    const child = fork(join(import.meta.dirname, 'serve.ts'), {
      env: shared,
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text: Buffer) => (log += text.toString()))
    }
    const ended = once(child, 'exit').then(() => {
      throw new Error(`The server did not start:\n${log}`)
    })
    const [ready] = (await Promise.race([once(child, 'message'), ended])) as [Ready]
    ended.catch(() => {})
    forwarded.target = ready.port
    return { ...ready, child }
  }
  const end = async (signal: NodeJS.Signals) => {
    if (running.child.exitCode !== null || running.child.signalCode !== null) return
    forwarded.target = undefined
    const exited = once(running.child, 'exit')
    running.child.kill(signal)
    await exited
  }

  let running = await run()
  const { url } = running
  return {
    url,
    port,
    putBlob: createTestBlobs(dataDir, oneFolder).put,
    changeDatabase: (statement) => {
      const database = new DatabaseSync(join(dataDir, 'vitrine.db'), { timeout: 10_000 })
      expect(Number(database.prepare(statement).run().changes)).toBeGreaterThan(0)
      database.close()
    },
    forgetSigned: () => {
      const place = join(dataDir, 'blobs', 'checkpoints')
      for (const log of readdirSync(place)) rmSync(join(place, log), { recursive: true })
    },
    user: async (...words) => {
      const main = join(import.meta.dirname, '../packages/cli/src/main.ts')
      const run = promisify(execFile)
      return (await run(process.execPath, [main, 'user', ...words], { env: shared })).stdout
    },
    kill: () => end('SIGKILL'),
    start: async () => {
      running = await run()
    },
    remove: async () => {
      await end('SIGTERM')
      await forwarded.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}
