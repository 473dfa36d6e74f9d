import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../tools/build.mjs'
import { freePort } from '../tools/free-port.mjs'
import { nodeFlags, nodeVariables } from '../packages/server/src/runtime/node-flags.mjs'

/** Program that `npm start` runs once everything is installed. */
const serverFile = join(import.meta.dirname, '..', 'tools', 'serve.mjs')

export type ServerProcess = AsyncDisposable & {
  url: string
  port: number
  dataDir: string
  /** From the start of the process to the first answer that it is ready, in milliseconds. */
  readyMs: number
  /** Resident memory in bytes. */
  memory: () => number
  /** The most resident memory since `resetPeak`, in bytes. */
  peakMemory: () => number
  resetPeak: () => void
  /** Processor time used so far, in seconds. */
  cpuSeconds: () => number
}

export type StartOptions = {
  /** Program to run; the product's server when left out. It must serve `/readyz`. */
  file?: string
  env?: Record<string, string>
  /** An existing data folder, which is then left in place. */
  dataDir?: string
}

/** Starts a server in a process of its own, as it would run for people, and waits until it is ready. */
export async function startServerProcess({
  file = serverFile,
  env = {},
  dataDir: givenDataDir,
}: StartOptions = {}): Promise<ServerProcess> {
  // Here, as the variables of the server would have the build watched with it.
  if (file === serverFile) build()
  const dataDir = givenDataDir ?? mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  const port = await freePort()
  const log = join(dataDir, 'server.log')
  const output = openSync(log, 'w')
  const began = performance.now()
  const child = spawn(process.execPath, [...(file === serverFile ? nodeFlags : []), file], {
    env: {
      PATH: process.env['PATH'],
      VITRINE_DATA_DIR: dataDir,
      VITRINE_PORT: String(port),
      ...(file === serverFile ? nodeVariables : {}),
      ...env,
    },
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  await ready(child, `http://127.0.0.1:${port}/readyz`, log)
  const readyMs = performance.now() - began

  const status = (field: string) => {
    const text = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * 1024
  }
  return {
    url: `http://localhost:${port}`,
    port,
    dataDir,
    readyMs,
    memory: () => status('VmRSS'),
    peakMemory: () => status('VmHWM'),
    // proc(5), /proc/pid/clear_refs: 5 resets the peak.
    resetPeak: () => writeFileSync(`/proc/${child.pid}/clear_refs`, '5'),
    cpuSeconds: () => {
      // proc(5), /proc/pid/stat: utime and stime, in ticks of 10 ms.
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return (Number(fields[11]) + Number(fields[12])) / 100
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null) {
        child.kill()
        await once(child, 'exit')
      }
      if (givenDataDir === undefined) rmSync(dataDir, { recursive: true })
    },
  }
}

async function ready(child: ChildProcess, url: string, log: string): Promise<void> {
  while (child.exitCode === null) {
    try {
      if ((await fetch(url)).ok) return
    } catch {
      // It does not listen yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`the server ended at once: ${readFileSync(log, 'utf8')}`)
}
