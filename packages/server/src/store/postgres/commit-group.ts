import { setTimeout as sleep } from 'node:timers/promises'
import {
  type DatabaseConnection,
  type Dialect,
  type Kysely,
  sql,
  Transaction as KyselyTransaction,
} from 'kysely'
import type { CommitGroup, GroupedWrite, Outcome, Write } from '../group-commit.ts'
import type { Tables } from '../tables.ts'
import { isConflict, isConnectionLost, isStatementElsewhere, rootOf } from './sql-state.ts'
import type { Transaction } from '../store.ts'

/** How often writes are run that lose to others, and how long they wait at most the first time. */
const attemptsMax = 6
const firstWaitMs = 20

/**
 * Runs a group again where nothing of it can have been committed: it lost to another transaction, or
 * its connection before the commit was sent. Once that was sent, what became of it is not known, and
 * it is not acknowledged. Writes have savepoints, and run one after the other, only after one of them failed
 * (docs/decisions/store.md).
 */
export function commitOnPostgres(db: Kysely<Tables>, dialect: Dialect): CommitGroup {
  return async (writes, { durable }) => {
    let run = runTogether
    for (let attempt = 1; ; attempt += 1) {
      let isCommitting = false
      try {
        return await db.transaction().execute(async (transaction) => {
          if (!durable) await sql`set local synchronous_commit = off`.execute(transaction)
          const outcomes = await run(transaction, writes, dialect)
          isCommitting = true
          return outcomes
        })
      } catch (error) {
        if (error instanceof RefusedTogether) {
          run = runApart
          continue
        }
        const isUndone = isRepeatable(error) || (isConnectionLost(error) && !isCommitting)
        if (!isUndone || attempt >= attemptsMax) throw error
        await sleep(Math.random() * firstWaitMs * 2 ** attempt)
      }
    }
  }
}

/** Thrown when one of several writes failed, which takes the others with it. */
class RefusedTogether extends Error {
  override name = 'RefusedTogether'
}

async function runTogether(
  transaction: Transaction,
  writes: readonly GroupedWrite[],
  dialect: Dialect,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  try {
    for (const run of toRuns(writes)) {
      const values = await runConcurrently(transaction, run, dialect)
      outcomes.push(...values.map((value) => ({ ok: true, value }) as const))
    }
    return outcomes
  } catch (error) {
    // What is refused alone need not be parted from others.
    if (writes.length === 1 || isRepeatable(error) || isConnectionLost(error)) throw error
    throw new RefusedTogether('', { cause: error })
  }
}

/** Parts writes, in their order, into neighbours that have keys, and single ones that have none. */
function toRuns(writes: readonly GroupedWrite[]): GroupedWrite[][] {
  const runs: GroupedWrite[][] = []
  for (const write of writes) {
    const last = runs.at(-1)
    if (write.key !== undefined && last?.[0]?.key !== undefined) last.push(write)
    else runs.push([write])
  }
  return runs
}

/**
 * Runs writes of different keys side by side, and those of one key one after the other.
 * @throws what a failure of others follows from, once all have ended
 */
async function runConcurrently(
  transaction: Transaction,
  writes: readonly GroupedWrite[],
  dialect: Dialect,
): Promise<unknown[]> {
  if (writes.length === 1) return [await writes[0]!.write(transaction)]
  return transaction.getExecutor().provideConnection(async (connection) => {
    const pipeline = pipelineOf(transaction, { connection, dialect })
    const lastOfKeys = new Map<string | undefined, Promise<unknown>>()
    const running = writes.map(({ write, key }) => {
      const before = lastOfKeys.get(key) ?? Promise.resolve()
      const value = before.then(() => write(pipeline))
      lastOfKeys.set(key, value)
      return value
    })
    const settled = await Promise.allSettled(running)
    const errors = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    if (errors.length > 0) throw rootOf(errors)
    return Promise.all(running)
  })
}

/** Makes statements of a transaction leave at once, where Kysely's wait for each other. */
function pipelineOf(
  transaction: Transaction,
  { connection, dialect }: { connection: DatabaseConnection; dialect: Dialect },
): Transaction {
  const executor = transaction
    .getExecutor()
    .withConnectionProvider({ provideConnection: (consumer) => consumer(connection) })
  const driver = dialect.createDriver()
  return new KyselyTransaction<Tables>({ config: { dialect }, dialect, driver, executor })
}

async function runApart(
  transaction: Transaction,
  writes: readonly GroupedWrite[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const { write } of writes) outcomes.push(await inSavepoint(transaction, write))
  return outcomes
}

async function inSavepoint(transaction: Transaction, write: Write<unknown>): Promise<Outcome> {
  await sql`savepoint one`.execute(transaction)
  try {
    const value = await write(transaction)
    await sql`release savepoint one`.execute(transaction)
    return { ok: true, value }
  } catch (error) {
    // Others wait for what the rest of the group has locked, so it is not enough to undo this write.
    if (isRepeatable(error) || isConnectionLost(error)) throw error
    await sql`rollback to savepoint one`.execute(transaction)
    await sql`release savepoint one`.execute(transaction)
    return { ok: false, error }
  }
}

/** Whether a failure may succeed when it is run again: it lost to others, or a pooler sent it to another connection. */
function isRepeatable(error: unknown): boolean {
  return isConflict(error) || isStatementElsewhere(error)
}
