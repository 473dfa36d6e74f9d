import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  nextInTime,
  noticeOf,
  notSignedIn,
  step,
  type SessionEvent,
  type SessionState,
  type SessionStatus,
} from '../src/auth/session-machine.ts'

const now = 1_000_000
const life = 300_000
const signedIn: SessionStatus = {
  ...notSignedIn,
  expiresAt: now + life,
  renewAt: now + life - 60_000,
}
const renewing = step(signedIn, { type: 'due' }, now)
const asked = step(signedIn, { type: 'unauthorized' }, now)
const ranOut = step(signedIn, { type: 'ranOut' }, now)

/** Every state, and the same with a renewal under way where that makes a difference. */
const statuses: Record<string, SessionStatus> = {
  signedIn,
  renewing,
  'renewing (401)': asked,
  'expired, renewing': ranOut,
  expired: step(renewing, { type: 'denied' }, now),
  refused: step(asked, { type: 'denied' }, now),
  signedOutElsewhere: step(signedIn, { type: 'signedOut' }, now),
}

const events: SessionEvent[] = [
  { type: 'loaded', expiresAt: now + 2 * life, life },
  ...(
    [
      'due',
      'ranOut',
      'timedOut',
      'failed',
      'denied',
      'doubted',
      'unauthorized',
      'refusedAgain',
      'accepted',
      'signedOut',
      'removed',
    ] as const
  ).map((type) => ({ type })),
]

/** Describes a status as in the table, with its timers. */
function describe(status: SessionStatus): string {
  if (status === notSignedIn) return 'none'
  const { state, renewal, renewAt, expiresAt } = status
  const asks = renewal?.isRefused === true && state === 'renewing' ? ' (401)' : ''
  const pending = renewal !== undefined && state === 'expired' ? ', renewing' : ''
  const wait = renewAt - now
  const retry =
    renewAt !== Infinity && renewAt < expiresAt - 60_000 ? `, again in ${wait / 1000} s` : ''
  return `${state}${asks}${pending}${retry}`
}

test('the states and transitions are those of the decision', () => {
  const head = ['', ...Object.keys(statuses)]
  const rows = events.map((event) => [
    `\`${event.type}\``,
    ...Object.values(statuses).map((status) => {
      const next = step(status, event, now)
      return next === status ? '' : describe(next)
    }),
  ])
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  const file = new URL('../../../docs/decisions/sessions.md', import.meta.url)
  const written = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => (/^\|[ -|]*---/.test(line) ? table[1] : line.replaceAll(/ +/g, ' ')))
  expect(written).toEqual(table.map((line) => line.replaceAll(/ +/g, ' ')))
})

test('the notice is 60 s before the end, of a short token a third of its life', () => {
  const seconds = [30, 60, 180, 300, 86_400].map((each) => noticeOf(each * 1000) / 1000)
  expect(seconds).toEqual([10, 20, 60, 60, 60])
})

test('renewals that do not reach the provider are tried at growing intervals', () => {
  let status = ranOut
  const waits: number[] = []
  for (let round = 0; round < 9; round += 1) {
    status = step(status, { type: 'failed' }, now)
    waits.push((nextInTime(status).at - now) / 1000)
    status = step(status, { type: 'due' }, now)
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
})

test('a token expires on time while a renewal hangs, and the renewal times out at its own deadline', () => {
  const expiring: SessionStatus = { ...signedIn, expiresAt: now + 10_000, renewAt: now }
  const hanging = step(expiring, { type: 'due' }, now)
  expect(nextInTime(hanging)).toEqual({ at: now + 10_000, type: 'ranOut' })
  const expired = step(hanging, { type: 'ranOut' }, now + 10_000)
  expect(expired.state).toBe('expired')
  // And the renewal is given up at its own deadline.
  expect(nextInTime(expired)).toEqual({ at: now + 25_000, type: 'timedOut' })
})

test('at most one renewal is under way, and none where it was denied', () => {
  for (const status of [renewing, asked, ranOut]) {
    for (const type of ['due', 'doubted', 'unauthorized'] as const) {
      expect(step(status, { type }, now + 1).renewal?.until).toBe(status.renewal?.until)
    }
  }
  const ended: SessionState[] = ['expired', 'refused', 'signedOutElsewhere']
  for (const state of ended) expect(nextInTime(statuses[state]!).at).toBe(Infinity)
})
