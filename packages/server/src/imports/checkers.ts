import { availableParallelism } from 'node:os'
import { freeBytes } from '../runtime/gc.ts'
import { WorkerExit } from '../runtime/worker-session.ts'
import type { BlockReply } from './block-task.ts'
import {
  answersFor,
  runCheck,
  type CheckPool,
  type CheckSession,
  type Resolve,
} from './check-pool.ts'
import type { ImportedFile } from './imported-file.ts'
import type { BlockConfig, CheckedBlock } from './rows/check-block.ts'
import type { Block } from './rows/block.ts'

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
