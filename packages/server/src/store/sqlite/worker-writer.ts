import type { SQLInputValue } from 'node:sqlite'
import type { RawBuilder } from 'kysely'
import { WorkerPool } from '../../runtime/worker-pool.ts'
import type { Db, WorkerWrite } from '../store.ts'

/**
 * Runs transactions and checkpoints in a thread of its own, one at a time; whoever calls lets no other
 * write run.
 */
export class WorkerWriter {
  readonly #pool: WorkerPool<WriteTasks>

  constructor(databaseFile: string) {
    this.#pool = new WorkerPool(new URL('./write-worker.ts', import.meta.url), {
      size: 1,
      // Checkpoints of a busy server come more often.
      idleMs: 5 * 60_000,
      workerData: databaseFile,
    })
  }

  /**
   * Runs statements in one transaction, durable when this resolves. It is not repeated where the thread exits:
   * the memory of its bytes is gone with that.
   */
  async write(task: WriteTask): Promise<void> {
    const session = this.#pool.openSession()
    await session.run('write', task, [...buffersOf(task)]).finally(() => session.close())
  }

  /** Copies what is in the write-ahead log to where it belongs, so that the log begins anew. */
  checkpoint(): Promise<void> {
    return this.#pool.use((session) => session.run('checkpoint'))
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}

/** A statement as one thread tells it another. */
export type WorkerStatement = { sql: string; parameters: SQLInputValue[] }

export type WriteTask = { claim: WorkerStatement; statements: WorkerStatement[] }

export type WriteTasks = { write: (task: WriteTask) => void; checkpoint: () => void }

export function compileWorkerWrite(db: Db, { claim, statements }: WorkerWrite): WriteTask {
  return {
    claim: compileStatement(db, claim),
    statements: statements.map((statement) => compileStatement(db, statement)),
  }
}

export function compileStatement(db: Db, statement: RawBuilder<unknown>): WorkerStatement {
  const { sql, parameters } = statement.compile(db)
  return { sql, parameters: [...parameters] as SQLInputValue[] }
}

/** The memory of bytes among the parameters. */
export function buffersOf({ statements }: WriteTask): Set<ArrayBuffer> {
  const values = statements.flatMap(({ parameters }) => parameters)
  return new Set(
    values
      .filter((value) => value instanceof Uint8Array)
      .map(({ buffer }) => buffer as ArrayBuffer),
  )
}
