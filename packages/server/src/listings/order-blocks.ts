import { firstWhere } from '../runtime/binary-search.ts'
import type { Block } from '../store/listing-tables.ts'

/**
 * The counted blocks of a listing in order, at one version. They are not changed but replaced, as
 * others may be reading by them.
 */
export class OrderBlocks {
  readonly #firstKeys: readonly Uint8Array[]
  readonly #counts: readonly number[]
  /** How many keys stand before each block. */
  #before: Float64Array | undefined

  private constructor(firstKeys: readonly Uint8Array[], counts: readonly number[]) {
    this.#firstKeys = firstKeys
    this.#counts = counts
  }

  static of(blocks: readonly Block[]): OrderBlocks {
    if (blocks.length === 0) return new OrderBlocks([new Uint8Array()], [0])
    return new OrderBlocks(
      blocks.map(({ firstKey }) => firstKey),
      blocks.map(({ count }) => count),
    )
  }

  get(index: number): Block {
    return { firstKey: this.#firstKeys[index]!, count: this.#counts[index]! }
  }

  /** The block that holds the key of a rank, counted from 0, and how many of its keys stand before. */
  atRank(rank: number): { firstKey: Uint8Array; offset: number } {
    const before = this.#countBefore()
    const index = Math.max(0, firstWhere(before.length, (at) => before[at]! > rank) - 1)
    return { firstKey: this.#firstKeys[index]!, offset: rank - before[index]! }
  }

  /** The block in which a key stands or would stand, and how many keys stand before the block. */
  atKey(key: Uint8Array): { index: number; firstKey: Uint8Array; before: number } {
    const isBeyond = (at: number) => Buffer.compare(this.#firstKeys[at]!, key) > 0
    const index = Math.max(0, firstWhere(this.#firstKeys.length, isBeyond) - 1)
    return { index, firstKey: this.#firstKeys[index]!, before: this.#countBefore()[index]! }
  }

  /** These blocks with some replaced, each by one or more that begin with the same key. */
  with(replacements: ReadonlyMap<number, readonly Block[]>): OrderBlocks {
    const counts = [...this.#counts]
    const firstKeys = [...this.#firstKeys]
    // From the end, so that what is put in moves no index that is still to come.
    for (const [index, blocks] of [...replacements].toSorted(([a], [b]) => b - a)) {
      counts.splice(index, 1, ...blocks.map(({ count }) => count))
      firstKeys.splice(index, 1, ...blocks.map(({ firstKey }) => firstKey))
    }
    return new OrderBlocks(firstKeys, counts)
  }

  /** These blocks with counts that leave out some of their keys. */
  without(keys: readonly Uint8Array[]): OrderBlocks {
    const counts = [...this.#counts]
    for (const key of keys) counts[this.atKey(key).index]! -= 1
    return new OrderBlocks(this.#firstKeys, counts)
  }

  #countBefore(): Float64Array {
    if (this.#before === undefined) {
      this.#before = new Float64Array(this.#counts.length)
      let sum = 0
      for (const [index, count] of this.#counts.entries()) {
        this.#before[index] = sum
        sum += count
      }
    }
    return this.#before
  }
}
