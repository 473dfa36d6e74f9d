import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/** How many writes may share one transaction: more would hold the event loop for too long. */
const groupMax = 64

type Write<T> = (transaction: Transaction<Tables>) => Promise<T>
type Waiting = { write: Write<unknown>; settle: (outcome: Outcome) => void }
type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown }

/**
 * Group commit: writes that arrive together share one transaction, and so one fsync. Each write is in
 * a savepoint of its own, so that one that is refused takes nothing of the others with it. A write is
 * acknowledged only after the transaction that holds it is durable.
 */
export class GroupCommit {
  readonly #db: Kysely<Tables>
  #waiting: Waiting[] = []
  #draining: Promise<void> | undefined
  #commits = 0

  constructor(db: Kysely<Tables>) {
    this.#db = db
  }

  write<T>(write: Write<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#waiting.push({
      write,
      settle: (outcome) => (outcome.ok ? resolve(outcome.value as T) : reject(outcome.error)),
    })
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
      const group = this.#waiting.splice(0, groupMax)
      const outcomes = await this.#commit(group)
      // Before anyone is told, so that nobody who was told reads what was known before.
      this.#commits += 1
      group.forEach(({ settle }, index) => settle(outcomes[index]!))
      await new Promise(setImmediate)
    }
    this.#draining = undefined
  }

  async #commit(group: Waiting[]): Promise<Outcome[]> {
    try {
      return await this.#db.transaction().execute(async (transaction) => {
        const outcomes: Outcome[] = []
        for (const { write } of group) {
          const outcome = await inSavepoint(transaction, write)
          if (outcome.ok === undefined) throw outcome.error
          outcomes.push(outcome)
        }
        return outcomes
      })
    } catch (error) {
      return group.map(() => ({ ok: false, error }))
    }
  }
}

/**
 * A full disk makes SQLite roll back the whole transaction by itself, savepoints and all
 * (https://www.sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction): then `ok` is
 * undefined, and the group is lost with this write.
 */
async function inSavepoint(
  transaction: Transaction<Tables>,
  write: Write<unknown>,
): Promise<Outcome | { ok: undefined; error: unknown }> {
  await sql`savepoint one`.execute(transaction)
  try {
    const value = await write(transaction)
    await sql`release savepoint one`.execute(transaction)
    return { ok: true, value }
  } catch (error) {
    try {
      await sql`rollback to savepoint one`.execute(transaction)
      await sql`release savepoint one`.execute(transaction)
    } catch {
      return { ok: undefined, error }
    }
    return { ok: false, error }
  }
}
