import type { SQLInputValue } from 'node:sqlite'
import { RequestThread } from '../../runtime/request-thread.ts'

/** A statement for the thread. */
export type ReadRequest = { sql: string; parameters: SQLInputValue[] }

/** How long an idle thread is kept. */
const idleMs = 10_000

/** Runs queries in a thread of its own, one after the other. */
export class WorkerReader {
  readonly #thread: RequestThread<ReadRequest, unknown[][]>

  constructor(databaseFile: string) {
    this.#thread = new RequestThread(new URL('./read-worker.ts', import.meta.url), {
      idleMs,
      workerData: databaseFile,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
  }

  read(sql: string, parameters: SQLInputValue[]): Promise<unknown[][]> {
    return this.#thread.ask({ sql, parameters })
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
