import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { text } from 'node:stream/consumers'

const main = new URL('../src/main.ts', import.meta.url).pathname

export type Outcome = { code: number | null; stdout: string; stderr: string }
export type Running = { child: ChildProcessWithoutNullStreams; ended: Promise<Outcome> }
export type RunOptions = { env?: Record<string, string>; stdin?: string | Buffer }

/** Starts the command line as a process of its own, as a shell does. */
export function startVitrine(words: string[], { env = {}, stdin = '' }: RunOptions = {}): Running {
  const child = spawn(process.execPath, [main, ...words], {
    env: { PATH: process.env['PATH'], ...env },
  })
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  const code = new Promise<number | null>((resolve) => child.on('close', resolve))
  const ended = Promise.all([code, text(child.stdout), text(child.stderr)])
  return { child, ended: ended.then(([code, stdout, stderr]) => ({ code, stdout, stderr })) }
}

/** Runs the command line to its end. */
export function vitrine(words: string[], options?: RunOptions): Promise<Outcome> {
  return startVitrine(words, options).ended
}
