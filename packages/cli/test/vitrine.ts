import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

const main = new URL('../src/main.ts', import.meta.url).pathname

export type Outcome = { code: number | null; stdout: string; stderr: string }

/** Runs the command line as a process of its own, as a shell does. */
export async function vitrine(
  words: string[],
  { env = {}, stdin = '' }: { env?: Record<string, string>; stdin?: string } = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [main, ...words], {
    env: { PATH: process.env['PATH'], ...env },
  })
  child.stdin.end(stdin)
  const code = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await code, stdout, stderr }
}
