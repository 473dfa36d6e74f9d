import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { nodeFlags, nodeVariables } from '../packages/server/src/runtime/node-flags.mjs'

const serve = join(import.meta.dirname, 'serve.ts')

export type ServerProcess = {
  url: string
  pid: number
  /** Sends a signal to the server itself, whatever it runs under. */
  signal: (signal: NodeJS.Signals) => void
  /** Resolves when it is gone. */
  ended: Promise<void>
  hasEnded: () => boolean
  /** Resident memory in bytes. */
  memory: () => number
}

/** A server that was gone before it answered, as one that an injected fault met while it started. */
export class EndedBeforeReady extends Error {}

/**
 * Starts the server as a process of its own; resolves when it is ready.
 * @param under a command and its arguments that run it, such as strace
 * @throws EndedBeforeReady
 */
export async function startServerProcess({
  env,
  log,
  under = [],
}: {
  env: Record<string, string>
  /** The file to which it writes. */
  log: string
  under?: readonly string[]
}): Promise<ServerProcess> {
  const words = [...under, process.execPath, ...nodeFlags, serve]
  const child = spawn(words[0]!, words.slice(1), {
    env: {
      PATH: process.env['PATH'],
      // Most of a round is a start, and a third of a start is compiling.
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../.cache/compiled'),
      ...nodeVariables,
      VITRINE_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = createWriteStream(log, { flags: 'a' })
  // Either may say something after the other has ended.
  child.stderr.pipe(output, { end: false })
  child.stdout.pipe(output, { end: false })
  let gone = false
  child.once('close', () => {
    gone = true
    output.end()
  })
  const ended = once(child, 'close').then(() => undefined)
  const port = await new Promise<number>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const found = /^ready at port (\d+)$/.exec(line)?.[1]
      if (found !== undefined) resolve(Number(found))
    })
    void ended.then(() =>
      reject(new EndedBeforeReady(`the server did not start:\n${readFileSync(log, 'utf8')}`)),
    )
  })
  const pid = under.length === 0 ? child.pid! : childOf(child)
  return {
    url: `http://127.0.0.1:${port}`,
    pid,
    signal: (signal) => {
      if (!gone) process.kill(pid, signal)
    },
    ended,
    hasEnded: () => gone,
    memory: () => residentBytes(pid),
  }
}

/** The first child of a process (proc(5), /proc/pid/task/tid/children). */
function childOf({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0])
}

function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
}
