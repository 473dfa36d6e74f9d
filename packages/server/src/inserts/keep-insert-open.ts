import { concurrencyKeyOf, type OwnInsert } from '../store/inserts.ts'
import type { InsertContext } from './insert-context.ts'
import { renewOpenInsert } from './require-insert.ts'

/** How often a deadline is renewed at most. */
const renewalMs = 5000

/**
 * Renews the deadline of an insert until it is disposed of, for as long as an upload takes: one that
 * makes no progress is ended by whoever reads it. `onLost` is told once when the insert is gone.
 */
export function keepInsertOpen(
  { store, deadlineMs }: Pick<InsertContext, 'store' | 'deadlineMs'>,
  insert: OwnInsert,
  onLost: (error: Error) => void,
): Disposable {
  const renew = () =>
    store.write((transaction) => renewOpenInsert(transaction, insert, deadlineMs), {
      provisional: true,
      concurrencyKey: concurrencyKeyOf(insert),
    })
  const timer = setInterval(
    () =>
      void renew().catch((error: Error) => {
        clearInterval(timer)
        onLost(error)
      }),
    Math.min(renewalMs, deadlineMs / 4),
  )
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
