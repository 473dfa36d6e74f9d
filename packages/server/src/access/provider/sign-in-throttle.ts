import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { type AccountRow, findAccountNamed } from '../../store/accounts.ts'
import { attemptSucceeded, beginAttempt } from '../../store/sign-in-attempts.ts'
import type { Store } from '../../store/store.ts'
import { type Credentials, accountName, isAccountName } from './accounts.ts'
import { isPassword, PasswordsBusy } from './passwords.ts'

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
  const typed = accountName(username)
  // What can be no account's name is all one, however long it is and whatever is in it.
  const name = isAccountName(typed) ? typed : ''
  const stored = await findAccountNamed(store.reads, name)
  const account = (stored && browserOf(stored.id)) ?? `account ${name}`
  const from = `address ${address}`
  const waitMs = await store.write((transaction) =>
    beginAttempt(transaction, [
      { subject: account, ...limits.account },
      { subject: from, ...limits.address },
    ]),
  )
  const accountId = stored?.id
  if (waitMs > 0) return { outcome: 'throttled', waitSeconds: Math.ceil(waitMs / 1000), accountId }

  try {
    if (!(await isPassword(password, stored?.password)) || stored === undefined) {
      return { outcome: 'wrong', accountId }
    }
  } catch (error) {
    if (!(error instanceof PasswordsBusy)) throw error
    return { outcome: 'throttled', waitSeconds: busySeconds, accountId }
  }
  await store.write((transaction) =>
    attemptSucceeded(transaction, { cleared: account, spared: from }),
  )
  return { outcome: 'signed in', account: stored }
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

/** Seconds as people say them. */
export function waitOf(seconds: number): string {
  if (seconds === 1) return '1 second'
  return seconds < 100 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}

/**
 * Returns the address that a request comes from. On https that is the last proxy's word, where there must be one:
 * this server itself does not speak https.
 */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  publicUrl: string,
): string {
  const forwarded = [headers['x-forwarded-for']].flat().at(-1)?.split(',').at(-1)?.trim()
  const proxied = publicUrl.startsWith('https:') ? forwarded : undefined
  return proxied ?? socket.remoteAddress ?? ''
}

/** Returns what throttles count a request by. */
export function throttledAddress(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  publicUrl: string,
): string {
  return addressPrefix(clientAddress(request, publicUrl))
}

/**
 * Returns the part of an address that a throttle counts by: IPv4 as it is, of IPv6 the first 64 bits, as whoever has
 * one address there has all that begin alike (RFC 6177 §2).
 */
export function addressPrefix(address: string): string {
  if (!isIPv6(address)) return address
  // The URL standard writes an address in one way only; zones have no place in it.
  const host = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(host)
  if (mapped !== null) return ipv4Of(mapped[1]!, mapped[2]!)
  const [before = '', after] = host.split('::')
  const first = before === '' ? [] : before.split(':')
  const last = after === undefined || after === '' ? [] : after.split(':')
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`
}

function ipv4Of(high: string, low: string): string {
  const bits = [high, low].map((group) => Number.parseInt(group, 16))
  return bits.flatMap((group) => [group >> 8, group & 0xff]).join('.')
}
