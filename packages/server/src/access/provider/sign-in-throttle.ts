import type { FastifyBaseLogger } from 'fastify'
import { findAccountNamed, type AccountRow } from '../../store/accounts.ts'
import { attemptSucceeded, beginAttempt } from '../../store/sign-in-attempts.ts'
import type { Store } from '../../store/store.ts'
import { accountName, isAccountName, type Credentials } from './accounts.ts'
import { isPassword, PasswordsBusy } from './passwords.ts'
import { waitOf } from './wait-of.ts'

export type Attempt =
  | { outcome: 'signed in'; account: AccountRow }
  /** `accountId` is undefined where there is no account of the name. */
  | { outcome: 'wrong'; accountId: string | undefined }
  | { outcome: 'throttled'; waitSeconds: number; accountId: string | undefined }

/** When it may be tried again where too many passwords are being checked. */
export const busySeconds = 5

/** From one account nobody is kept for longer than five minutes, from one address for a quarter hour. */
const limits = {
  account: { free: 5, waitMaxMs: 5 * 60_000 },
  address: { free: 20, waitMaxMs: 15 * 60_000 },
}

/**
 * Judges one sign-in, throttled by address, and by account (whether there is one or not); with a browser that
 * has signed in to the account before, by that browser instead, so that nobody else's failures keep it out.
 */
export async function attemptSignIn(
  store: Store,
  {
    username,
    password,
    address,
    browserOf,
  }: Credentials & {
    address: string
    /** The key of a browser that the account knows. */
    browserOf: (accountId: string) => string | undefined
  },
): Promise<Attempt> {
  const given = accountName(username)
  // What can be no account's name is all one, however long it is and whatever is in it.
  const name = isAccountName(given) ? given : ''
  const found = await findAccountNamed(store.reads, name)
  const account = (found && browserOf(found.id)) ?? `account ${name}`
  const from = `address ${address}`
  const waitMs = await store.write((transaction) =>
    beginAttempt(transaction, [
      { subject: account, ...limits.account },
      { subject: from, ...limits.address },
    ]),
  )
  const accountId = found?.id
  if (waitMs > 0) return { outcome: 'throttled', waitSeconds: Math.ceil(waitMs / 1000), accountId }

  try {
    if (!(await isPassword(password, found?.password)) || found === undefined) {
      return { outcome: 'wrong', accountId }
    }
  } catch (error) {
    if (!(error instanceof PasswordsBusy)) throw error
    return { outcome: 'throttled', waitSeconds: busySeconds, accountId }
  }
  await store.write((transaction) =>
    attemptSucceeded(transaction, { cleared: account, spared: from }),
  )
  return { outcome: 'signed in', account: found }
}

/** Logs how a password was judged, without the name that was typed, which may be a password itself. */
export function logAttempt(log: Pick<FastifyBaseLogger, 'info'>, attempt: Attempt): void {
  const { outcome } = attempt
  if (outcome === 'signed in') log.info({ subject: attempt.account.id }, 'a password was right')
  else log.info({ reason: outcome, subject: attempt.accountId }, 'a password was refused')
}

/**
 * Looks up the code of a program that somebody has typed, where wrong codes count as wrong passwords of their
 * address do.
 */
export async function attemptCode<T>(
  store: Store,
  { address, find }: { address: string; find: () => Promise<T | undefined> },
): Promise<
  | { outcome: 'found'; code: T }
  | { outcome: 'wrong' }
  | { outcome: 'throttled'; waitSeconds: number }
> {
  const from = `address ${address}`
  const waitMs = await store.write((transaction) =>
    beginAttempt(transaction, [{ subject: from, ...limits.address }]),
  )
  if (waitMs > 0) return { outcome: 'throttled', waitSeconds: Math.ceil(waitMs / 1000) }
  const code = await find()
  if (code === undefined) return { outcome: 'wrong' }
  await store.write((transaction) => attemptSucceeded(transaction, { spared: from }))
  return { outcome: 'found', code }
}

/** Writes the message for somebody who has to wait. */
export function tooManyAttempts(waitSeconds: number): string {
  return `Too many attempts. Try again in ${waitOf(waitSeconds)}.`
}
