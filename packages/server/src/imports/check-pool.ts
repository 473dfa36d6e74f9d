import { WorkerPool } from '../runtime/worker-pool.ts'
import type { AnswerQuestion, WorkerSession } from '../runtime/worker-session.ts'
import type { BlockAnswer, BlockQuestion, BlockReply, BlockTask } from './block-task.ts'
import type { ImportedFile } from './imported-file.ts'
import { malformed } from './malformed.ts'
import type { Needs, Resolution } from './rows/resolution.ts'

export type Resolve = (needs: Needs) => Promise<Resolution>

/** Pool of the threads that check blocks. */
export type CheckPool = WorkerPool<BlockTask, BlockReply, BlockQuestion, BlockAnswer>
export type CheckSession = WorkerSession<BlockTask, BlockReply, BlockQuestion, BlockAnswer>

/** Opens a pool in which every session has a thread of its own. */
export function openCheckPool(): CheckPool {
  return new WorkerPool(new URL('./check-worker.ts', import.meta.url), {
    size: Infinity,
    // Starting one takes a third of a second of processor time.
    idleMs: 10_000,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
}

/** Returns what answers the questions of a session: it reads the file, and has needs resolved. */
export function answersFor(
  file: ImportedFile,
  resolve: Resolve,
): AnswerQuestion<BlockQuestion, BlockAnswer> {
  return async (question) => {
    if (question.kind === 'needs') {
      return { answer: { kind: 'resolved', resolution: await resolve(question.needs) } }
    }
    if (question.kind === 'keep') throw new Error('blocks keep nothing')
    const bytes = new Uint8Array(await file.read(question.start, question.end)).buffer
    return { answer: { kind: 'bytes', bytes }, transfer: [bytes] }
  }
}

/**
 * Runs a task in a thread that checks blocks.
 * @throws Failure IMPORT_MALFORMED where the thread has run out of memory; it has ended then
 */
export async function runCheck(session: CheckSession, task: BlockTask): Promise<BlockReply> {
  try {
    return await session.run(task)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
    throw malformed('takes too much memory to read: write it in smaller groups of rows')
  }
}
