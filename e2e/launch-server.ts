import { execFile, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTestBlobs } from '../packages/server/test/test-blobs.ts'
import type { Ready } from './serve.ts'

/** The account that the first start creates. */
export const admin = { username: 'admin', password: 'correct horse battery' }

/** The real server in a process of its own, on a data folder of its own. */
export type LaunchedServer = {
  /** Where people reach it. */
  url: string
  /** Where it listens. */
  port: number
  /** Puts any bytes under a digest, as a damaged disk would. */
  putBlob: (sha256: string, bytes: Buffer) => Promise<void>
  /** Runs `vitrine user …` on its data, in another process. */
  user: (...words: string[]) => Promise<void>
  /** Ends it without a warning, as a crash would. */
  kill: () => Promise<void>
  /** Starts it again on the same data and port. */
  start: () => Promise<void>
  /** Ends it and removes its data. */
  remove: () => Promise<void>
}

export async function launchServer(env: Record<string, string> = {}): Promise<LaunchedServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-e2e-'))
  const shared = {
    PATH: process.env['PATH'],
    VITRINE_DATA_DIR: dataDir,
    VITRINE_ADMIN_PASSWORD: admin.password,
    VITRINE_LOG_LEVEL: 'warn',
    ...env,
  }
  let log = ''
  const run = async (port: number): Promise<Ready & { child: ChildProcess }> => {
    const child = fork(join(import.meta.dirname, 'serve.ts'), {
      env: { VITRINE_PORT: String(port), ...shared },
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
    return { ...ready, child }
  }
  const end = async (signal: NodeJS.Signals) => {
    if (running.child.exitCode !== null || running.child.signalCode !== null) return
    const exited = once(running.child, 'exit')
    running.child.kill(signal)
    await exited
  }

  let running = await run(0)
  const { url, port } = running
  return {
    url,
    port,
    putBlob: createTestBlobs(dataDir, { database: 'sqlite', blobs: 'files' }).put,
    user: async (...words) => {
      const main = join(import.meta.dirname, '../packages/cli/src/main.ts')
      await promisify(execFile)(process.execPath, [main, 'user', ...words], { env: shared })
    },
    kill: () => end('SIGKILL'),
    start: async () => {
      running = await run(port)
    },
    remove: async () => {
      await end('SIGTERM')
      rmSync(dataDir, { recursive: true })
    },
  }
}
