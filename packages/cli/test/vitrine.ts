import { Console } from 'node:console'
import { EventEmitter } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import type { Io } from '../src/command/io.ts'
import { run } from '../src/run.ts'
import type { Outcome } from './spawn-vitrine.ts'

export type RunOptions = {
  env?: Record<string, string>
  stdin?: string | Buffer
  /** Whether somebody types what comes through standard input. */
  isTTY?: boolean
}
export type Running = {
  child: {
    stdout: Readable
    stderr: Readable
    /** Null while it runs. */
    exitCode: number | null
    kill: (signal: 'SIGINT' | 'SIGTERM') => void
  }
  ended: Promise<Outcome>
}

/** Makes the streams of a command that has no process of its own; its output waits to be read. */
export function createIo({ env = {}, stdin = '', isTTY = false }: RunOptions = {}) {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  return {
    env,
    stdin: Object.assign(Readable.from([Buffer.from(stdin)]), { isTTY }),
    stdout,
    stderr,
    console: new Console(stdout, stderr),
    signals: new EventEmitter(),
  } satisfies Io
}

/** Starts a command of the command line, in the process of the test. */
export function startVitrine(words: string[], options?: RunOptions): Running {
  const io = createIo(options)
  const child: Running['child'] = {
    stdout: io.stdout,
    stderr: io.stderr,
    exitCode: null,
    kill: (signal) => void io.signals.emit(signal),
  }
  const printed = [textOf(io.stdout), textOf(io.stderr)] as const
  const ended = run(words, io).finally(() => {
    io.stdout.end()
    io.stderr.end()
  })
  return {
    child,
    ended: Promise.all([ended, ...printed]).then(([code, stdout, stderr]) => {
      child.exitCode = code
      return { code, stdout, stderr }
    }),
  }
}

/** Leaves others to read along. */
async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  await new Promise((resolve) => stream.on('end', resolve))
  return Buffer.concat(chunks).toString()
}

/** Runs a command to its end. */
export function vitrine(words: string[], options?: RunOptions): Promise<Outcome> {
  return startVitrine(words, options).ended
}
