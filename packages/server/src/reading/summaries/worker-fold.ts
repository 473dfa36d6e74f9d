import { ownBuffers } from '../../runtime/gc.ts'
import { WorkerPool } from '../../runtime/worker-pool.ts'
import type { WorkerSession } from '../../runtime/worker-session.ts'
import type { SnapshotRows } from '../snapshot.ts'
import type { FoldedField } from './fold.ts'
import type { Folded, FoldedState, FoldTasks } from './fold-worker.ts'

/** A session in which one summary is folded. */
export type FoldSession = WorkerSession<FoldTasks>

/** A summary under way in a worker thread. */
export type WorkerFold = {
  add: (rows: SnapshotRows) => Promise<void>
  /** Returns the result so far. */
  peek: () => Promise<Folded>
  /** Returns the result so far with the state to resume from. */
  keep: () => Promise<FoldedState>
}

/** Opens a pool of one thread, which all summaries of a process share. */
export function openFoldPool(): WorkerPool<FoldTasks> {
  return new WorkerPool(new URL('./fold-worker.ts', import.meta.url), { size: 1, idleMs: 60_000 })
}

/** Begins to fold, or goes on from a state; fails where that cannot be read. */
export async function openFold(
  session: FoldSession,
  fields: FoldedField[],
  state: Uint8Array | undefined,
): Promise<WorkerFold> {
  await session.run('open', { fields, state })
  return {
    add: (rows) => session.run('add', rows, ownBuffers(rows.bytes)),
    peek: () => session.run('peek'),
    keep: () => session.run('keep'),
  }
}
