import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { text } from 'node:stream/consumers'

const main = new URL('../src/main.ts', import.meta.url).pathname

export type Outcome = { code: number | null; stdout: string; stderr: string }
export type Spawned = { child: ChildProcessWithoutNullStreams; ended: Promise<Outcome> }

/** Starts the command line as a process of its own, as a shell does; its standard input stays open. */
export function spawnVitrine(words: string[], env: Record<string, string> = {}): Spawned {
  const child = spawn(process.execPath, [main, ...words], {
    env: { PATH: process.env['PATH'], ...env },
  })
  const code = new Promise<number | null>((resolve) => child.on('close', resolve))
  const ended = Promise.all([code, text(child.stdout), text(child.stderr)])
  return { child, ended: ended.then(([code, stdout, stderr]) => ({ code, stdout, stderr })) }
}
