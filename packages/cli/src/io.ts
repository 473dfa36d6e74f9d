import type { Readable, Writable } from 'node:stream'

/** What a command has of the process that runs it; a test puts its own in the place of each. */
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
