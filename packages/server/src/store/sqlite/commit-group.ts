import { sql } from 'kysely'
import type { CommitGroup, Outcome, Write } from '../group-commit.ts'
import { statement } from '../statement.ts'
import type { SqliteConnection } from './connection.ts'
import type { Transaction } from '../store.ts'

/**
 * Each write is in a savepoint of its own, so that one that is refused takes nothing of the others with
 * it.
 */
export function commitOnSqlite({ db, setSynced }: SqliteConnection): CommitGroup {
  return (writes, { durable }) => {
    setSynced(durable)
    return db.transaction().execute(async (transaction) => {
      const outcomes: Outcome[] = []
      for (const { write } of writes) {
        const outcome = await inSavepoint(transaction, write)
        if (outcome.ok === undefined) throw outcome.error
        outcomes.push(outcome)
      }
      return outcomes
    })
  }
}

const savepoint = statement(() => sql`savepoint one`)
const release = statement(() => sql`release savepoint one`)
const rollback = statement(() => sql`rollback to savepoint one`)

/**
 * A full disk makes SQLite roll back the whole transaction by itself, savepoints and all
 * (https://www.sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction): then `ok` is
 * undefined, and the group is lost with this write.
 */
async function inSavepoint(
  transaction: Transaction,
  write: Write<unknown>,
): Promise<Outcome | { ok: undefined; error: unknown }> {
  await savepoint(transaction, {})
  try {
    const value = await write(transaction)
    await release(transaction, {})
    return { ok: true, value }
  } catch (error) {
    try {
      await rollback(transaction, {})
      await release(transaction, {})
    } catch {
      return { ok: undefined, error }
    }
    return { ok: false, error }
  }
}
