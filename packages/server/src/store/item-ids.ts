import { sql } from 'kysely'
import { statement } from './statement.ts'
import type { Store } from './store.ts'

/** Ids of one repository that are this process's to give: `next`, and all up to `end`, which is left out. */
type Block = { next: number; end: number }

/** Ids taken at once: few at first, twice as many each further time, as so many may be lost with a process. */
const blockSizes = { first: 16, max: 1024 }

/**
 * The ids of new items. A process takes blocks of them durably, and then gives them out by itself: an insert is
 * begun without a sync, and what a power cut takes back of it is never given out again. What is left of a block
 * goes back at a stop; a kill leaves a gap.
 */
export class ItemIds {
  readonly #store: Store
  readonly #blocks = new Map<number, Block>()
  readonly #sizes = new Map<number, number>()
  readonly #taking = new Map<number, Promise<boolean>>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Gives an id of a repository that nobody had; undefined where the repository is gone. */
  async give(datasetId: number): Promise<number | undefined> {
    for (;;) {
      const block = this.#blocks.get(datasetId)
      if (block !== undefined && block.next < block.end) {
        block.next += 1
        return block.next - 1
      }
      if (!(await this.#takeOnce(datasetId))) return undefined
    }
  }

  /** Gives back what is left for a repository, as far as nobody took ids after it: an import goes on from there. */
  async giveBack(datasetId: number): Promise<void> {
    const block = this.#blocks.get(datasetId)
    this.#blocks.delete(datasetId)
    if (block === undefined || block.next === block.end) return
    await this.#store.write((transaction) => returnBlock(transaction, { datasetId, ...block }))
  }

  /** Gives back what is left for all repositories. */
  async close(): Promise<void> {
    for (const datasetId of this.#blocks.keys()) await this.giveBack(datasetId)
  }

  /** Everybody who needs a block meanwhile waits for the same one. */
  #takeOnce(datasetId: number): Promise<boolean> {
    const taking =
      this.#taking.get(datasetId) ??
      this.#take(datasetId).finally(() => this.#taking.delete(datasetId))
    this.#taking.set(datasetId, taking)
    return taking
  }

  async #take(datasetId: number): Promise<boolean> {
    const count = this.#sizes.get(datasetId) ?? blockSizes.first
    const [taken] = await this.#store.write((transaction) =>
      takeBlock(transaction, { datasetId, count }),
    )
    if (taken === undefined) {
      this.#blocks.delete(datasetId)
      this.#sizes.delete(datasetId)
      return false
    }
    this.#blocks.set(datasetId, { next: taken.end - count, end: taken.end })
    this.#sizes.set(datasetId, Math.min(2 * count, blockSizes.max))
    return true
  }
}

const takeBlock = statement<{ datasetId: number; count: number }, { end: number }>(
  (slot) => sql`
    update datasets set next_item_id = next_item_id + ${slot('count')}
    where id = ${slot('datasetId')} returning next_item_id as "end"`,
)

const returnBlock = statement<Block & { datasetId: number }>(
  (slot) => sql`
    update datasets set next_item_id = ${slot('next')}
    where id = ${slot('datasetId')} and next_item_id = ${slot('end')}`,
)
