import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { CommitGroup, Outcome, Write } from '../group-commit.ts'
import type { Tables } from '../tables.ts'
import { isConflict, isConnectionLost, isStatementElsewhere } from './sql-state.ts'
import type { Transaction } from '../store.ts'

/** How often writes are run that lose to others, and how long they wait at most the first time. */
const attemptsMax = 6
const firstWaitMs = 20

/**
 * Runs a group again where nothing of it can have been committed: it lost to another transaction, or
 * its connection before the commit was sent. Once that was sent, what became of it is not known, and
 * it is not acknowledged. Writes have savepoints only after one of them failed
 * (docs/decisions/store.md).
 */
export function commitOnPostgres(db: Kysely<Tables>): CommitGroup {
  return async (writes, { durable }) => {
    let run = runTogether
    for (let attempt = 1; ; attempt += 1) {
      let isCommitting = false
      try {
        return await db.transaction().execute(async (transaction) => {
          if (!durable) await sql`set local synchronous_commit = off`.execute(transaction)
          const outcomes = await run(transaction, writes)
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
  writes: readonly Write<unknown>[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  try {
    for (const write of writes) outcomes.push({ ok: true, value: await write(transaction) })
    return outcomes
  } catch (error) {
    // What is refused alone need not be parted from others.
    if (writes.length === 1 || isRepeatable(error) || isConnectionLost(error)) throw error
    throw new RefusedTogether('', { cause: error })
  }
}

async function runApart(
  transaction: Transaction,
  writes: readonly Write<unknown>[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const write of writes) outcomes.push(await inSavepoint(transaction, write))
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
