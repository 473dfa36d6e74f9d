import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { middleOf, tileWidth, type Range } from '@vitrine/transparency-log'
import { nodeOf, rootOf } from '../store/leaf.ts'
import { addLogNodes, countLogNodes, listLogNodes, type LogNode } from '../store/log-nodes.ts'
import type { Store, Transaction } from '../store/store.ts'

const emptyTree = createHash('sha256').digest()

/** Tiles whose hashes are read and written at once. */
const windowTiles = 16

/** The part of a store that a log needs. */
export type LogStore = Pick<Store, 'reads' | 'prepareInWorker' | 'write'>

/** Entries of a log, to which others are added only. */
export type LogLeaves = {
  /** Number under which the hashes above the entries are stored. */
  id: number
  /** The number of entries. */
  count: () => Promise<number>
  /** The hashes of entries; fewer where some are missing. */
  list: (range: Range) => Promise<Uint8Array[]>
  /**
   * Keeps the log from being removed until a transaction ends.
   * @throws Failure REPO_NOT_FOUND
   */
  hold: (transaction: Transaction) => Promise<void>
  /** @throws Failure REPO_NOT_FOUND, LOG_DAMAGED */
  failForMissing: () => Promise<never>
}

/**
 * The tree over the entries of a log (RFC 6962 §2.1). The hash of an entry is written with it;
 * those of 256 entries together, and above, once somebody asks for the log or an import has ended: they
 * follow from the others, so it makes no difference which process writes them, or how often.
 */
export class LogTree {
  readonly #store: LogStore
  readonly #leaves: LogLeaves
  readonly #stopping: AbortSignal
  /** Complete tiles of entries whose hashes are there. */
  #tiles = 0
  #growing: Promise<void> | undefined

  constructor(store: LogStore, leaves: LogLeaves, stopping: AbortSignal) {
    this.#store = store
    this.#leaves = leaves
    this.#stopping = stopping
  }

  count(): Promise<number> {
    return this.#leaves.count()
  }

  /**
   * Hashes what is complete of the first `size` entries.
   * @throws Failure REPO_NOT_FOUND, LOG_DAMAGED
   */
  async grow(size: number): Promise<void> {
    while (this.#tiles < Math.floor(size / tileWidth)) {
      this.#growing ??= this.#growTo(size).finally(() => (this.#growing = undefined))
      await this.#growing
    }
  }

  async #growTo(size: number): Promise<void> {
    const { id } = this.#leaves
    this.#tiles = await countLogNodes(this.#store.reads, { repoId: id, level: 1 })
    for (;;) {
      this.#stopping.throwIfAborted()
      const from = this.#tiles
      const to = Math.min(from + windowTiles, Math.floor(size / tileWidth))
      if (from >= to) return
      const range = { from: from * tileWidth, to: to * tileWidth }
      const leaves = await this.tile({ level: 0, ...range })
      const nodes: LogNode[] = []
      for (let number = from; number < to; number += 1) {
        const at = (number - from) * tileWidth
        nodes.push({ level: 1, number, hash: rootOf(leaves.slice(at, at + tileWidth)) })
        // A tile takes a quarter of a millisecond.
        await nextTurn()
      }
      await this.#store.write(async (transaction) => {
        await this.#leaves.hold(transaction)
        await addLogNodes(transaction, id, nodes)
        await this.#addAbove(transaction, { level: 1, from, to })
      })
      this.#tiles = to
    }
  }

  /** Adds hashes of a level that became complete with those of the one below. */
  async #addAbove(
    transaction: Transaction,
    { level, from, to }: Range & { level: number },
  ): Promise<void> {
    const { id } = this.#leaves
    const [first, last] = [Math.floor(from / tileWidth), Math.floor(to / tileWidth)]
    for (let number = first; number < last; number += 1) {
      const below = { repoId: id, level, from: number * tileWidth, to: (number + 1) * tileWidth }
      const hash = rootOf(await listLogNodes(transaction, below))
      await addLogNodes(transaction, id, [{ level: level + 1, number, hash }])
    }
    if (first < last) await this.#addAbove(transaction, { level: level + 1, from: first, to: last })
  }

  /** The root of the log at a size, after `grow`. */
  rootOf(size: number): Promise<Uint8Array> {
    return size === 0 ? Promise.resolve(emptyTree) : this.hashOf({ from: 0, to: size })
  }

  /** The root of the subtree over some entries, of which there is at least one, after `grow`. */
  async hashOf(range: Range): Promise<Uint8Array> {
    const { from, to } = range
    const width = to - from
    const isComplete = Number.isInteger(Math.log2(width)) && from % width === 0
    if (isComplete || width < tileWidth) return rootOf(await this.#below(range))
    const middle = middleOf(range)
    return nodeOf(await this.hashOf({ from, to: middle }), await this.hashOf({ from: middle, to }))
  }

  /** The hashes of a tile: those of complete subtrees of 256 to the power of its level entries each. */
  async tile({ level, from, to }: Range & { level: number }): Promise<Uint8Array[]> {
    const hashes =
      level === 0
        ? await this.#leaves.list({ from, to })
        : await listLogNodes(this.#store.reads, { repoId: this.#leaves.id, level, from, to })
    return hashes.length < to - from ? this.#leaves.failForMissing() : hashes
  }

  /** The hashes of the highest level of which some entries are a number of complete subtrees. */
  #below({ from, to }: Range): Promise<Uint8Array[]> {
    let level = 0
    let each = 1
    while (each * tileWidth <= to - from) {
      level += 1
      each *= tileWidth
    }
    return this.tile({ level, from: from / each, to: to / each })
  }
}
