// Runs on the main thread.

import { availableParallelism } from 'node:os'
import type { ParquetShape } from '@vitrine/rows/parquet/parquet-file'
import type { SheetOptions } from '@vitrine/rows/workbook/read-workbook'
import type { WorkbookFacts } from '@vitrine/rows/row-batch'
import { WorkerPool } from '../runtime/worker-pool.ts'
import { type AnswerQuestion, type WorkerSession, WorkerExit } from '../runtime/worker-session.ts'
import { type ImportedFile, malformed } from './import-file.ts'
import type { LookupResults, Lookups } from './rows/lookups.ts'
import { freeBytes } from '../runtime/gc.ts'
import type { BlockConfig, CheckedBlock } from './rows/check-block.ts'
import type { Block, RowRange } from './rows/raw-row.ts'

export type Resolve = (lookups: Lookups) => Promise<LookupResults>

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

/** Returns what answers the questions of a session: it reads the file, and looks up. */
export function answersFor(
  file: ImportedFile,
  resolve: Resolve,
): AnswerQuestion<BlockQuestion, BlockAnswer> {
  return async (question) => {
    if (question.kind === 'lookups') {
      return { answer: { kind: 'resolved', results: await resolve(question.lookups) } }
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

/** More of them would only make room for fewer requests. */
const checkersMax = 4

/** About a second of work. */
const manyBlocks = 256

/** Has the blocks of one import checked side by side. */
export class Checkers {
  readonly #config: BlockConfig
  readonly #openSession: () => CheckSession
  /** By turn. */
  readonly #sessions: (CheckSession | undefined)[] = []
  /** By turn, done when the last block is that was to be checked in it. */
  readonly #done: Promise<unknown>[]
  #blocks = 0
  readonly size = Math.min(checkersMax, availableParallelism())

  constructor(
    pool: CheckPool,
    { config, file, resolve }: { config: BlockConfig; file: ImportedFile; resolve: Resolve },
  ) {
    this.#config = config
    this.#openSession = () => pool.openSession(answersFor(file, resolve))
    this.#done = Array.from({ length: this.size }, () => Promise.resolve())
  }

  /** Checks a block: `size` of them at once, and others after these. */
  check(content: Block['content']): Promise<CheckedBlock> {
    const turn = this.#blocks % this.size
    this.#blocks += 1
    const checked = this.#done[turn]!.then(() => this.#check(turn, content))
    this.#done[turn] = checked.catch(() => {})
    return checked
  }

  /** Closes the sessions; a thread that has not replied ends. */
  async close(): Promise<void> {
    // Their memory is more than the time that it takes to start others, and publishing needs some.
    const isLarge = this.#blocks > manyBlocks
    for (const session of this.#sessions) {
      if (session === undefined) continue
      if (session.isBusy || isLarge) await session.terminate()
      session.close()
    }
  }

  async #check(turn: number, content: Block['content']): Promise<CheckedBlock> {
    try {
      return await this.#checkOnce(turn, content)
    } catch (error) {
      if (!(error instanceof WorkerExit)) throw error
      // Once more in another thread: the block is still here, and to lease the same bytes twice does no harm.
      this.#sessions[turn] = undefined
      return await this.#checkOnce(turn, content)
    } finally {
      if (content instanceof Uint8Array) freeBytes(content)
    }
  }

  async #checkOnce(turn: number, content: Block['content']): Promise<CheckedBlock> {
    const session = this.#sessions[turn] ?? (await this.#start(turn))
    const reply = await runCheck(session, { kind: 'block', content })
    return (reply as Extract<BlockReply, { kind: 'checked' }>).block
  }

  async #start(turn: number): Promise<CheckSession> {
    const session = this.#openSession()
    this.#sessions[turn] = session
    await runCheck(session, { kind: 'config', config: this.#config })
    return session
  }
}

// Messages between the threads that check blocks and the one that knows what is kept.

/** Configuration of the blocks that come next, a block, a Parquet file to describe, or a workbook to unpack. */
export type BlockTask =
  | { kind: 'config'; config: BlockConfig }
  | { kind: 'block'; content: Uint8Array | RowRange }
  | { kind: 'describe'; fileBytes: number }
  | { kind: 'unpack'; fileBytes: number; options: SheetOptions }

export type BlockReply =
  | { kind: 'configured' }
  | { kind: 'checked'; block: CheckedBlock }
  | { kind: 'described'; shape: ParquetShape }
  | { kind: 'unpacked'; facts: WorkbookFacts }
  | { kind: 'unreadable'; reason: string }

/** Questions of a thread that checks a block or unpacks a workbook, and the answers. */
export type BlockQuestion =
  | { kind: 'lookups'; lookups: Lookups }
  | { kind: 'read'; start: number; end: number }
  | { kind: 'keep'; bytes: Uint8Array }
export type BlockAnswer =
  | { kind: 'resolved'; results: LookupResults }
  | { kind: 'bytes'; bytes: ArrayBuffer }
  | { kind: 'kept' }
