import { replacePassword, type AccountRow } from '../../store/accounts.ts'
import { endSessions, type SessionKeys } from '../../store/provider.ts'
import type { Store } from '../../store/store.ts'
import { AccountError, checkPassword } from './accounts.ts'
import { hashPassword, isPassword, PasswordsBusy } from './passwords.ts'
import { busySeconds, tooManyAttempts } from './sign-in-throttle.ts'

/** Why a password was not changed, as a sentence, and when it may be tried again if it is only too soon. */
export type PasswordRefusal = { error: string; waitSeconds?: number }

/**
 * Gives an account the password that its owner chose and typed twice, who has proved the one before, and
 * ends its sessions.
 * @returns why it was not done
 */
export async function choosePassword(
  store: Store,
  account: AccountRow,
  chosen: {
    password: string
    again: string
    /** The session in which it is changed, which goes on. */
    except?: SessionKeys
  },
): Promise<PasswordRefusal | undefined> {
  try {
    await replace(store, account, chosen)
    return undefined
  } catch (error) {
    if (error instanceof AccountError) return { error: error.message }
    if (!(error instanceof PasswordsBusy)) throw error
    return { error: tooManyAttempts(busySeconds), waitSeconds: busySeconds }
  }
}

async function replace(
  store: Store,
  account: AccountRow,
  { password, again, except }: Parameters<typeof choosePassword>[2],
): Promise<void> {
  if (password !== again) throw new AccountError('The two passwords differ.')
  await checkPassword(password, account.name)
  if (await isPassword(password, account.password)) {
    throw new AccountError('This is the password that you have: choose another one.')
  }
  const hash = await hashPassword(password)
  await store.write(async (transaction) => {
    if (!(await replacePassword(transaction, account, hash))) {
      throw new AccountError('The password was changed elsewhere in the meantime.')
    }
    await endSessions(transaction, { accountId: account.id, ...(except && { except }) })
  })
}
