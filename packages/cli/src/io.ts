import type { Readable, Writable } from 'node:stream'

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
