import { fail, failAt } from '../failure.ts'
import { findAccount } from '../store/accounts.ts'
import { eraseFromAudit, holdAudit, writeAudit } from '../store/audit-log.ts'
import { forgetName } from '../store/people.ts'
import type { Store } from '../store/store.ts'
import { clearUsername } from '../store/tokens.ts'
import { type Identity, personOf } from './identity.ts'

/** Entries whose remaining texts one entry proves, at most: its text stays below 50 kB. */
const entriesAtOnce = 500

/**
 * Erases the name of a person, who is shown by their subject from then on (docs/audit.md). What remains of entries of
 * the audit log is proven by the entry of the erasure.
 * @returns the number of entries that had the name
 * @throws Failure PERSON_NOT_FOUND, REQUEST_INVALID while they have an account
 */
export async function eraseName(
  store: Store,
  subject: string,
  identity: Identity,
): Promise<{ entries: number }> {
  return store.write(async (transaction) => {
    if (await findAccount(transaction, subject)) {
      const reason = 'is the subject of an account: `vitrine user remove` removes that first'
      throw failAt('REQUEST_INVALID', [{ path: ['subject'], reason }])
    }
    const names = await forgetName(transaction, subject)
    // Nobody adds an entry with the name meanwhile.
    await holdAudit(transaction)
    const remainders = await eraseFromAudit(transaction, { subject, names })
    if (names.length === 0 && remainders.length === 0) throw fail('PERSON_NOT_FOUND')
    await clearUsername(transaction, subject)
    const by = personOf(identity)
    for (let from = 0; from === 0 || from < remainders.length; from += entriesAtOnce) {
      const some = remainders.slice(from, from + entriesAtOnce)
      await writeAudit(transaction, {
        what: 'name-erased',
        by: identity.subject === subject ? { ...by, name: undefined } : by,
        details: { subject, entries: some.length },
        remainders: Object.fromEntries(some),
      })
    }
    return { entries: remainders.length }
  })
}
