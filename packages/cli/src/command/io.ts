import type { Readable, Writable } from 'node:stream'
import { createInterface } from 'node:readline/promises'

/** Environment, streams and signals of a command's process; tests give their own. */
export type Io = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable & { isTTY?: boolean }
  readonly stdout: Writable & { isTTY?: boolean }
  readonly stderr: Writable & { isTTY?: boolean }
  /** Writes to `stdout` and `stderr`. */
  readonly console: Pick<Console, 'log' | 'error'>
  /** Emits `SIGINT` and `SIGTERM`. */
  readonly signals: Pick<NodeJS.EventEmitter, 'once' | 'off'>
}

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
