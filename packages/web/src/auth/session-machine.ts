/**
 * States and transitions of a sign-in (docs/decisions/sessions.md has them as a
 * table). Everything here is pure; `session.ts` has the timers. Times are in milliseconds since 1970.
 */

/**
 * `signedIn`: calls are made with a token. `renewing`: a renewal is under way; the token still serves,
 * unless the server refused it. `expired`: the token ran out, or the provider renews it no more.
 * `refused`: the server takes neither the token nor a renewed one. `signedOutElsewhere`: another tab
 * signed out.
 */
export type SessionState = 'signedIn' | 'renewing' | 'expired' | 'refused' | 'signedOutElsewhere'

export type SessionStatus = {
  readonly state: SessionState
  /** When the access token runs out. */
  readonly expiresAt: number
  /** When a renewal is due; `Infinity` if the page begins none by itself. */
  readonly renewAt: number
  /** The renewal under way: when it is given up, and whether the server refused the token before it. */
  readonly renewal: { readonly until: number; readonly isRefused: boolean } | undefined
  /** Renewals in a row that did not reach the provider. */
  readonly failures: number
}

export type SessionEvent =
  /** A token came, by signing in, by a renewal here or in another tab. `life` in milliseconds. */
  | { type: 'loaded'; expiresAt: number; life: number }
  /** The moment for a renewal has come. */
  | { type: 'due' }
  /** The access token's time is over. */
  | { type: 'ranOut' }
  /** The renewal took too long. */
  | { type: 'timedOut' }
  /** The renewal did not reach the provider. */
  | { type: 'failed' }
  /** The provider refused the renewal: it has ended the session. */
  | { type: 'denied' }
  /** Another tab was denied, which may concern this one. */
  | { type: 'doubted' }
  /** The server refused the token (401). */
  | { type: 'unauthorized' }
  /** The server refused the token that a renewal gave. */
  | { type: 'refusedAgain' }
  /** The server took the token. */
  | { type: 'accepted' }
  /** Another tab signed out. */
  | { type: 'signedOut' }
  /** The user of this tab was removed, as by signing out here. */
  | { type: 'removed' }

/**
 * In milliseconds (docs/decisions/sessions.md); `renewal` has time for the silent request (10 s) and for
 * one of another tab.
 */
const times = { notice: 60_000, retry: 5000, renewal: 25_000, backOff: 1000, backOffMax: 60_000 }

export const notSignedIn: SessionStatus = {
  state: 'signedIn',
  expiresAt: Infinity,
  renewAt: Infinity,
  renewal: undefined,
  failures: 0,
}

/** How long before its end a token is renewed: 60 s, of a short one a third of its life. */
export function noticeOf(life: number): number {
  return Math.min(times.notice, life / 3)
}

/** The next event that time brings, if any. */
export function nextInTime(status: SessionStatus): {
  at: number
  type: 'due' | 'ranOut' | 'timedOut'
} {
  const { state, expiresAt, renewAt, renewal } = status
  const runsOut = state === 'signedIn' || state === 'renewing' ? expiresAt : Infinity
  const next =
    renewal === undefined
      ? ({ at: renewAt, type: 'due' } as const)
      : ({ at: renewal.until, type: 'timedOut' } as const)
  return runsOut <= next.at ? { at: runsOut, type: 'ranOut' } : next
}

/** The state after an event; the same object if the event changes nothing. */
export function step(status: SessionStatus, event: SessionEvent, now: number): SessionStatus {
  const { state, renewal, failures } = status
  if (state === 'signedOutElsewhere') return status
  const isRenewing = renewal !== undefined
  switch (event.type) {
    case 'loaded': {
      const { expiresAt, life } = event
      const loaded = { ...notSignedIn, expiresAt, renewAt: expiresAt - noticeOf(life) }
      // A new token may well be refused like the one before: only an accepted one ends that.
      return state === 'refused' ? { ...status, expiresAt, renewal: undefined } : loaded
    }
    case 'due':
    case 'doubted':
      if (isRenewing || state === 'refused') return status
      if (event.type === 'doubted' && state === 'expired') return status
      return begin(status, now)
    case 'ranOut':
      if (state !== 'signedIn' && state !== 'renewing') return status
      return { ...(isRenewing ? status : begin(status, now)), state: 'expired' }
    case 'timedOut':
      return isRenewing ? again(status, { failures, at: now + times.retry }) : status
    case 'failed':
      return isRenewing
        ? again(status, { failures: failures + 1, at: now + backOff(failures) })
        : status
    case 'denied':
      return isRenewing ? end(status, renewal.isRefused ? 'refused' : 'expired') : status
    case 'unauthorized':
      if (state === 'signedIn') return begin(status, now, { isRefused: true })
      if (state !== 'renewing' || renewal?.isRefused !== false) return status
      return { ...status, renewal: { ...renewal, isRefused: true } }
    case 'refusedAgain':
      return state === 'refused' ? status : end(status, 'refused')
    case 'accepted':
      return state === 'refused' ? { ...status, state: 'signedIn' } : status
    case 'signedOut':
      return end(status, 'signedOutElsewhere')
    case 'removed':
      return notSignedIn
  }
}

function begin(status: SessionStatus, now: number, { isRefused = false } = {}): SessionStatus {
  const state = status.state === 'expired' ? 'expired' : 'renewing'
  return { ...status, state, renewAt: Infinity, renewal: { until: now + times.renewal, isRefused } }
}

/** After a renewal that said nothing of the session: tried again, unless the server wants a token now. */
function again(
  status: SessionStatus,
  { failures, at }: { failures: number; at: number },
): SessionStatus {
  if (status.renewal?.isRefused === true && status.state === 'renewing')
    return end(status, 'refused')
  const state = status.state === 'expired' ? 'expired' : 'signedIn'
  return { ...status, state, renewal: undefined, renewAt: at, failures }
}

function end(status: SessionStatus, state: SessionState): SessionStatus {
  return { ...status, state, renewAt: Infinity, renewal: undefined }
}

function backOff(failures: number): number {
  return Math.min(times.backOffMax, times.backOff * 2 ** failures)
}
