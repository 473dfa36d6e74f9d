import { WorkerPool } from '../../runtime/worker-pool.ts'
import { buffersOf, type WriteTask } from './compile-worker-write.ts'

/**
 * Runs transactions and checkpoints in a thread of its own, one at a time; whoever calls lets no other
 * write run.
 */
export class WorkerWriter {
  readonly #pool: WorkerPool<WriteTask | 'checkpoint', void>

  constructor(databaseFile: string) {
    this.#pool = new WorkerPool(new URL('./write-worker.ts', import.meta.url), {
      size: 1,
      workerData: databaseFile,
    })
  }

  /**
   * Runs statements in one transaction, durable when this resolves. It is not repeated where the thread exits:
   * the memory of its bytes is gone with that.
   */
  async write(task: WriteTask): Promise<void> {
    const session = this.#pool.openSession()
    await session.run(task, [...buffersOf(task)]).finally(() => session.close())
  }

  /** Copies what is in the write-ahead log to where it belongs, so that the log begins anew. */
  checkpoint(): Promise<void> {
    return this.#pool.use((session) => session.run('checkpoint'))
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}
