import type { Transaction } from './store.ts'

/** How many writes may share one transaction: more would hold the event loop for too long. */
const groupMax = 64

export type Write<T> = (transaction: Transaction) => Promise<T>
/** A write of a group, with its `concurrencyKey`. */
export type GroupedWrite = { write: Write<unknown>; key: string | undefined }
type Waiting = { settle: (outcome: Outcome) => void } & (
  (GroupedWrite & { isDurable: boolean }) | { alone: () => Promise<unknown> }
)
export type WriteOptions = {
  /** It can be made again from what is durable. */
  derived?: boolean
  /** It means nothing before a durable write that follows it, which makes it durable too. */
  provisional?: boolean
  /**
   * Lets writes of other keys run between its statements, where an engine gains by it; those of the same key run one
   * after the other.
   */
  concurrencyKey?: string | undefined
}
export type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown }

/**
 * Runs some writes in one transaction; gives what became of each, once that is durable where it is to
 * be.
 */
export type CommitGroup = (
  writes: readonly GroupedWrite[],
  options: { durable: boolean },
) => Promise<Outcome[]>

/**
 * Group commit: writes that arrive together share one transaction, and so one fsync. A write is
 * acknowledged only after the transaction that holds it is durable, unless all of it is derived or provisional
 * (docs/decisions/store.md).
 */
export class GroupCommit {
  readonly #commitGroup: CommitGroup
  #waiting: Waiting[] = []
  #draining: Promise<void> | undefined
  #commits = 0

  constructor(commitGroup: CommitGroup) {
    this.#commitGroup = commitGroup
  }

  write<T>(
    write: Write<T>,
    { derived = false, provisional = false, concurrencyKey: key }: WriteOptions = {},
  ): Promise<T> {
    return this.#wait((settle) => ({ write, key, isDurable: !derived && !provisional, settle }))
  }

  /**
   * Lets something else write in its turn, and no group meanwhile. What it writes does not count as a
   * commit: nobody may be able to see it.
   */
  alone<T>(alone: () => Promise<T>): Promise<T> {
    return this.#wait((settle) => ({ alone, settle }))
  }

  #wait<T>(wait: (settle: Waiting['settle']) => Waiting): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const settle = (outcome: Outcome) =>
      outcome.ok ? resolve(outcome.value as T) : reject(outcome.error)
    this.#waiting.push(wait(settle))
    this.#draining ??= this.#drain()
    return promise
  }

  /** How many groups were committed. */
  get commits(): number {
    return this.#commits
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    await this.#draining
  }

  async #drain(): Promise<void> {
    // One turn of the event loop, so that every request that is already here joins the group.
    await new Promise(setImmediate)
    while (this.#waiting.length > 0) {
      const first = this.#waiting[0]!
      if ('alone' in first) {
        this.#waiting.shift()
        first.settle(await outcomeOf(first.alone))
      } else {
        await this.#commitNext()
      }
      // One group a turn: what is done apart ends in the midst of one.
      await new Promise(setImmediate)
    }
    this.#draining = undefined
  }

  async #commitNext(): Promise<void> {
    const end = this.#waiting.findIndex((waiting) => 'alone' in waiting)
    const group = this.#waiting.splice(0, Math.min(groupMax, end === -1 ? groupMax : end))
    const outcomes = await this.#commit(group.filter((waiting) => 'write' in waiting))
    // Before callers are notified, so that none of them reads a stale cache.
    this.#commits += 1
    group.forEach(({ settle }, index) => settle(outcomes[index]!))
  }

  async #commit(group: readonly (GroupedWrite & { isDurable: boolean })[]): Promise<Outcome[]> {
    const durable = group.some(({ isDurable }) => isDurable)
    try {
      return await this.#commitGroup(group, { durable })
    } catch (error) {
      return group.map(() => ({ ok: false, error }))
    }
  }
}

async function outcomeOf(alone: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { ok: true, value: await alone() }
  } catch (error) {
    return { ok: false, error }
  }
}
