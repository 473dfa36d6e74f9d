import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { askThread } from './ask-thread.ts'
import type { BlockAnswer, BlockTask } from './block-task.ts'
import type { CheckThreads } from './check-threads.ts'
import type { ImportedFile } from './imported-file.ts'
import type { BlockConfig, CheckedBlock } from './rows/check-block.ts'
import type { Block } from './rows/block.ts'
import type { Needs, Resolution } from './rows/resolution.ts'

export type Resolve = (needs: Needs) => Promise<Resolution>

/** More of them would only make room for fewer requests. */
const checkersMax = 4

/** About a second of work. */
const manyBlocks = 256

/** Has the blocks of one import checked side by side. */
export class Checkers {
  readonly #threads: CheckThreads
  readonly #config: BlockConfig
  readonly #file: ImportedFile
  readonly #resolve: Resolve
  readonly #idle: Worker[] = []
  readonly #all: Worker[] = []
  /** Each is done when the last block is that was given to one of the threads. */
  readonly #done: Promise<unknown>[]
  #given = 0
  readonly size = Math.min(checkersMax, availableParallelism())

  constructor(
    threads: CheckThreads,
    { config, file, resolve }: { config: BlockConfig; file: ImportedFile; resolve: Resolve },
  ) {
    this.#threads = threads
    this.#config = config
    this.#file = file
    this.#resolve = resolve
    this.#done = Array.from({ length: this.size }, () => Promise.resolve())
  }

  /** Checks a block: `size` of them at once, and others after these. */
  check(content: Block['content']): Promise<CheckedBlock> {
    const turn = this.#given % this.size
    this.#given += 1
    const checked = this.#done[turn]!.then(() => this.#check(content))
    this.#done[turn] = checked.catch(() => {})
    return checked
  }

  async #check(content: Block['content']): Promise<CheckedBlock> {
    const worker = this.#idle.pop() ?? this.#take()
    const transfer = content instanceof Uint8Array ? [content.buffer] : []
    let answer = await askThread(worker, this.#file, {
      message: { kind: 'block', content },
      transfer,
    })
    while (answer.kind === 'needs') {
      const resolution = await this.#resolve(answer.needs)
      answer = await askThread(worker, this.#file, { message: { kind: 'resolved', resolution } })
    }
    this.#idle.push(worker)
    return (answer as Extract<BlockAnswer, { kind: 'checked' }>).block
  }

  /**
   * Gives the threads back, other than those that failed or are not done. After a large import they end:
   * their memory is more than the time that it takes to start others, and publishing needs some.
   */
  async close(): Promise<void> {
    const isLarge = this.#given > manyBlocks
    for (const worker of this.#all) {
      if (this.#idle.includes(worker) && !isLarge) this.#threads.giveBack(worker)
      else await worker.terminate()
    }
  }

  #take(): Worker {
    const worker = this.#threads.take()
    this.#all.push(worker)
    worker.postMessage({ kind: 'config', config: this.#config } satisfies BlockTask, [])
    return worker
  }
}
