// Runs on the main thread.

import { availableParallelism } from 'node:os'
import type { Read } from '@vitrine/contract'
import type { ParquetShape } from '@vitrine/rows/parquet/parquet-file'
import type { SheetOptions } from '@vitrine/rows/workbook/read-workbook'
import type { WorkbookFacts } from '@vitrine/rows/row-batch'
import { WorkerPool } from '../runtime/worker-pool.ts'
import {
  type Answers,
  type ReplyTo,
  type Sent,
  type WorkerSession,
  WorkerExit,
} from '../runtime/worker-session.ts'
import { type ImportedFile, malformed } from './import-file.ts'
import type { LookupResults, Lookups } from './rows/lookups.ts'
import { freeBytes } from '../runtime/gc.ts'
import type { KeyedItems } from './rows/match-rows.ts'
import type { BlockConfig, CheckedBlock } from './rows/check-block.ts'
import { type BlockContent, blockText } from './rows/raw-row.ts'

/** Finds what blocks need to know of what is kept. */
export type Resolve = {
  lookUp: (lookups: Lookups) => Promise<LookupResults>
  match: (keys: readonly string[]) => Promise<KeyedItems>
}

/** Pool of the threads that check blocks. */
export type CheckPool = WorkerPool<CheckTasks, CheckQuestions>
export type CheckSession = WorkerSession<CheckTasks, CheckQuestions>

/** Opens a pool in which every session has a thread of its own. */
export function openCheckPool(): CheckPool {
  return new WorkerPool(new URL('./check-worker.ts', import.meta.url), {
    size: Infinity,
    // Starting one takes a third of a second of processor time.
    idleMs: 10_000,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
}

/** Returns what answers the questions of a session: it reads the file, and looks up what blocks need to know. */
export function answersFor(file: ImportedFile, resolve?: Resolve): Answers<CheckQuestions> {
  const looksUp = () => {
    if (resolve === undefined) throw new Error('nothing is looked up but for blocks')
    return resolve
  }
  return {
    read: async ({ start, end }) => {
      const bytes = new Uint8Array(await file.read(start, end)).buffer
      return { answer: bytes, transfer: [bytes] }
    },
    lookUp: async (lookups) => ({ answer: await looksUp().lookUp(lookups) }),
    match: async (keys) => ({ answer: await looksUp().match(keys) }),
    keep: () => Promise.reject(new Error('blocks keep nothing')),
  }
}

/**
 * Runs a task in a thread that checks blocks.
 * @throws Failure IMPORT_MALFORMED where the thread has run out of memory; it has ended then
 */
export async function runCheck<Name extends keyof CheckTasks>(
  session: CheckSession,
  name: Name,
  ...sent: Sent<CheckTasks, Name>
): Promise<ReplyTo<CheckTasks, Name>> {
  try {
    return await session.run(name, ...sent)
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
  check(content: BlockContent): Promise<CheckedBlock> {
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

  async #check(turn: number, content: BlockContent): Promise<CheckedBlock> {
    try {
      return await this.#checkOnce(turn, content)
    } catch (error) {
      if (!(error instanceof WorkerExit)) throw error
      // Once more in another thread: the block is still here, and to lease the same bytes twice does no harm.
      this.#sessions[turn] = undefined
      return await this.#checkOnce(turn, content)
    } finally {
      const text = blockText(content)
      if (text !== undefined) freeBytes(text)
    }
  }

  async #checkOnce(turn: number, content: BlockContent): Promise<CheckedBlock> {
    const session = this.#sessions[turn] ?? (await this.#start(turn))
    return await runCheck(session, 'check', content)
  }

  async #start(turn: number): Promise<CheckSession> {
    const session = this.#openSession()
    this.#sessions[turn] = session
    await runCheck(session, 'configure', this.#config)
    return session
  }
}

/** Tasks of a thread that checks blocks, which `configure` describes. */
export type CheckTasks = {
  configure: (config: BlockConfig) => void
  check: (content: BlockContent) => CheckedBlock
  /** Reads the footer of a Parquet file. */
  describe: (file: { fileBytes: number }) => Read<ParquetShape>
  /** Unpacks a sheet of a workbook into lines, which it asks to keep. */
  unpack: (file: { fileBytes: number; options: SheetOptions }) => Read<WorkbookFacts>
}

/** Questions of such a thread about the file, and about what is kept. */
export type CheckQuestions = {
  read: (range: { start: number; end: number }) => ArrayBuffer
  lookUp: (lookups: Lookups) => LookupResults
  match: (keys: readonly string[]) => KeyedItems
  keep: (bytes: Uint8Array) => void
}
