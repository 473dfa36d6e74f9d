import { createInterface } from 'node:readline/promises'
import type { Io } from './io.ts'

/** Asks on the terminal; undefined where nobody answers. */
export async function ask(question: string, { stdin, stderr }: Io): Promise<string | undefined> {
  const lines = createInterface({ input: stdin, output: stderr })
  const interrupted = new AbortController()
  lines.on('SIGINT', () => interrupted.abort()).on('close', () => interrupted.abort())
  return lines
    .question(question, { signal: interrupted.signal })
    .catch(() => undefined)
    .finally(() => lines.close())
}
