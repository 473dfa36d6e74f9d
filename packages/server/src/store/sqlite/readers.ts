import type { SQLInputValue } from 'node:sqlite'
import { WorkerPool } from '../../runtime/worker-pool.ts'
import { type Prepare, type PrepareBatch, type WithSlots, compileSlots } from '../prepare.ts'
import type { Db } from '../store.ts'
import type { ReadTasks } from './read-worker.ts'

/**
 * Milliseconds until a thread starts that nobody waits for yet. Beside a search, and the index that it sets off, that
 * would take two processors another 100 ms.
 */
const startMs = 1000

/** Threads that read apart from the event loop, each on a connection of its own. */
export type Readers = {
  prepare: Prepare
  /** Prepares reads of which a second thread takes half, once it is there. */
  prepareBatch: PrepareBatch
  /** Starts the first thread soon, where there is none: that takes longer than most searches. */
  warmUp: () => void
  close: () => Promise<void>
}

/** Opens readers of a database file, for queries that `db` compiles. */
export function openReaders(databaseFile: string, db: Db): Readers {
  const first = new Reader(databaseFile)
  // For searches alone: two threads of an export or a view would leave little to others.
  const second = new Reader(databaseFile)
  return {
    prepare: <Parameters extends object, Row extends readonly unknown[]>(
      build: WithSlots<Parameters>,
    ) => {
      const { compiled, fill } = compileSlots(db, build)
      return (parameters: Parameters) => {
        const task = { sql: compiled.sql, parameters: fill(parameters) as SQLInputValue[] }
        return first.pool.use((session) => session.run('read', task)) as unknown as Promise<Row[]>
      }
    },
    prepareBatch: <Parameters extends object, Row extends readonly unknown[]>(
      build: WithSlots<Parameters>,
    ) => {
      const { compiled, fill } = compileSlots(db, build)
      const read = ({ pool }: Reader, batch: SQLInputValue[][], limit: number) =>
        pool.use((session) => session.run('readBatch', { sql: compiled.sql, batch, limit }))
      return async (batch: readonly Parameters[], limit: number) => {
        const parameters = batch.map((each) => fill(each) as SQLInputValue[])
        second.startSoon()
        // Contiguous, so that the rows are in order.
        const half = second.pool.isReady ? Math.ceil(parameters.length / 2) : parameters.length
        const [begin, end] = [parameters.slice(0, half), parameters.slice(half)]
        const parts = await Promise.all([
          read(first, begin, limit),
          end.length === 0 ? [] : read(second, end, limit),
        ])
        return parts.flat().slice(0, limit) as unknown as Row[]
      }
    },
    warmUp: () => first.startSoon(),
    close: async () => {
      await Promise.all([first.pool.close(), second.pool.close()])
    },
  }
}

class Reader {
  readonly pool: WorkerPool<ReadTasks>
  #start: NodeJS.Timeout | undefined

  constructor(databaseFile: string) {
    this.pool = new WorkerPool(new URL('./read-worker.ts', import.meta.url), {
      size: 1,
      // People look at what they found, and then search again.
      idleMs: 10 * 60_000,
      workerData: databaseFile,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
  }

  startSoon(): void {
    if (this.pool.isReady || this.#start !== undefined) return
    const start = () => {
      this.#start = undefined
      const statement = { sql: 'select 1', parameters: [] }
      // It may be closed by now.
      this.pool.use((session) => session.run('read', statement)).catch(() => {})
    }
    this.#start = setTimeout(start, startMs).unref()
  }
}
