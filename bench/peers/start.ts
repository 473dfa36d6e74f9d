import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startServerProcess, type StartOptions } from '../server-process.ts'
import type { Comparison } from './comparison.ts'

/** After V8 has found the process idle and given back what the start took. */
const idleMs = 30_000

/** The start of a server that has data, and its memory when nothing happens, beside bare Fastify. */
export async function start(opened: AsyncDisposableStack): Promise<Comparison[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  opened.defer(() => rmSync(dataDir, { recursive: true }))
  // Builds the web app, makes the database, and keeps what is compiled for the next start.
  await (await startServerProcess({ dataDir }))[Symbol.asyncDispose]()
  const ours = { dataDir }
  const bare = { file: fileURLToPath(import.meta.resolve('./bare-server.ts')) }
  return [
    {
      what: 'start of the server',
      unit: 's',
      rounds: 5,
      vitrine: () => startSeconds(ours),
      peers: [{ name: 'bare Fastify', measure: () => startSeconds(bare), goal: 0.5 }],
    },
    {
      what: 'memory 30 s after the start',
      unit: 'MB',
      vitrine: () => idleMegabytes(ours),
      peers: [{ name: 'bare Fastify', measure: () => idleMegabytes(bare), goal: 0.75 }],
    },
  ]
}

async function startSeconds(options: StartOptions): Promise<number> {
  await using started = await startServerProcess(options)
  return started.readyMs / 1000
}

async function idleMegabytes(options: StartOptions): Promise<number> {
  await using started = await startServerProcess(options)
  await sleep(idleMs)
  return started.memory() / 1e6
}
