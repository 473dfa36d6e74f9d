import { type User, type UserManager, ErrorResponse, ErrorTimeout } from 'oidc-client-ts'
import type { BrowserSession } from './browser-session.ts'
import {
  type SessionEvent,
  type SessionState,
  nextInTime,
  notSignedIn,
  step,
} from './session-machine.ts'

const tokenLifeKey = 'vitrine.tokenLife'

/** Errors of a provider that mean its own state, not the session's (RFC 6749 §4.1.2.1). */
const passingErrors = ['server_error', 'temporarily_unavailable', 'slow_down']

/** Keeps the access token from sign-in to sign-out. */
export type Session = {
  /** Begins with the user who was signed in before the page was loaded, if there is one. */
  resume(): Promise<void>
  readonly state: SessionState
  /** Whether a page holds what would be lost if the user were sent away. */
  readonly held: boolean
  /** The access token; after a renewal that is under way, where the one at hand is no good. */
  token(): Promise<string | undefined>
  /** Tells of a 401: renews the token once. */
  unauthorized(): void
  /** Tells that a renewed token was refused as well. */
  refused(): void
  /** Tells that the server took the token. */
  accepted(): void
  /** Keeps the user from being sent away until the returned function is called. */
  hold(): () => void
  /** Calls a listener when `state` or `held` changes; returns how to unsubscribe. */
  subscribe(listener: () => void): () => void
}

type SessionOptions = {
  userManager: Pick<UserManager, 'getUser' | 'signinSilent' | 'removeUser' | 'events' | 'settings'>
  browserSession: Pick<BrowserSession, 'hasEnded' | 'join' | 'doubt' | 'listen'>
  clock?: Clock
  /** This tab's. */
  storage?: Storage
}

const redirectedKey = 'vitrine.redirected'

/** Whether a sign-in was already begun because of a refusal: a second one would be a loop. */
export function redirectedBefore(): boolean {
  return sessionStorage.getItem(redirectedKey) !== null
}

export function recordRedirect(): void {
  sessionStorage.setItem(redirectedKey, '1')
}

/** Runs the machine of `session-machine.ts`: timers, renewals, and what other tabs tell. */
export function createSession({
  userManager,
  browserSession,
  clock = pageClock,
  storage = sessionStorage,
}: SessionOptions): Session {
  let status = notSignedIn
  let holds = 0
  let renewal: { over: () => void; isOver: Promise<void> } | undefined
  let callOff = () => {}
  const listeners = new Set<() => void>()
  const tell = () => listeners.forEach((listener) => listener())

  function happen(event: SessionEvent): void {
    const before = status
    status = step(status, event, clock.now())
    if (status === before) return
    callOff()
    const { at, type } = nextInTime(status)
    callOff = at === Infinity ? () => {} : clock.wakeAt(at, () => happen({ type }))
    if (status.renewal === undefined) {
      renewal?.over()
      renewal = undefined
    } else if (before.renewal === undefined) {
      void renew()
    }
    if (status.state !== before.state) tell()
  }

  /** Renews, and tells the machine how that ended unless it has given the renewal up. */
  async function renew(): Promise<void> {
    const { promise: isOver, resolve: over } = Promise.withResolvers<void>()
    const mine = { isOver, over }
    renewal = mine
    // The library forgets its own setting where it uses a refresh token (oidc-client-ts 3.5.0).
    const { silentRequestTimeoutInSeconds } = userManager.settings
    try {
      const user = await userManager.signinSilent({ silentRequestTimeoutInSeconds })
      if (renewal === mine) happen(user === null ? { type: 'denied' } : loadedEvent(user))
    } catch (error) {
      if (renewal !== mine) return
      const type = renewalOutcome(error)
      happen({ type })
      if (type === 'denied') browserSession.doubt()
      // After a timeout it is tried again (docs/decisions/sessions.md), so nobody need be told yet.
      if (type !== 'timedOut') await userManager.events._raiseSilentRenewError(error as Error)
    }
  }

  function loadedEvent(user: User): SessionEvent {
    const { expires_at: expiresAt = Infinity } = user
    const life = tokenLife(user, { now: clock.now(), storage })
    return { type: 'loaded', expiresAt: expiresAt * 1000, life }
  }

  function signOut(): void {
    happen({ type: 'signedOut' })
    void userManager.removeUser()
  }

  userManager.events.addUserLoaded((user) => {
    // A renewal that was under way when another tab signed out.
    if (browserSession.hasEnded()) signOut()
    else happen(loadedEvent(user))
  })
  userManager.events.addUserUnloaded(() => happen({ type: 'removed' }))
  browserSession.listen({ onEnd: signOut, onDoubt: () => happen({ type: 'doubted' }) })

  return {
    async resume() {
      const user = await userManager.getUser()
      if (user === null || user.expired === true) return
      browserSession.join()
      happen(loadedEvent(user))
    },
    get state() {
      return status.state
    },
    get held() {
      return holds > 0
    },
    async token() {
      const serves = status.state === 'renewing' && status.renewal?.isRefused === false
      if (!serves) await renewal?.isOver
      return (await userManager.getUser())?.access_token
    },
    unauthorized() {
      happen({ type: 'unauthorized' })
    },
    refused() {
      happen({ type: 'refusedAgain' })
    },
    accepted() {
      storage.removeItem(redirectedKey)
      happen({ type: 'accepted' })
    },
    hold() {
      holds += 1
      tell()
      return () => {
        holds -= 1
        tell()
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * How long a user's access token lives in all, in milliseconds. Nothing in it says so but the time when it came,
 * so that is noted for when the page is loaded again.
 */
function tokenLife(
  { expires_at: expiresAt = Infinity }: Pick<User, 'expires_at'>,
  { now, storage }: { now: number; storage: Storage },
): number {
  const left = expiresAt * 1000 - now
  const [noted, life] = (storage.getItem(tokenLifeKey) ?? '').split(' ').map(Number)
  if (noted === expiresAt && life !== undefined) return life
  storage.setItem(tokenLifeKey, `${expiresAt} ${left}`)
  return left
}

/** Tells by the error of a silent renewal whether it timed out, failed for now or was denied. */
function renewalOutcome(error: unknown): 'timedOut' | 'failed' | 'denied' {
  if (error instanceof ErrorTimeout) return 'timedOut'
  if (!(error instanceof ErrorResponse)) return 'failed'
  return passingErrors.includes(error.error ?? '') ? 'failed' : 'denied'
}

/** The time, and waking at one. */
export type Clock = {
  /** Milliseconds since 1970. */
  now: () => number
  /** Calls at a moment, or soon after; returns how to call that off. */
  wakeAt: (moment: number, then: () => void) => () => void
}

/** A timer counts no time that the computer sleeps, so it looks at the clock so often. */
const pollMs = 5000

const pageClock: Clock = {
  now: () => Date.now(),
  wakeAt: (moment, then) => {
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      const left = moment - Date.now()
      timer = left <= 0 ? setTimeout(then) : setTimeout(wait, Math.min(left, pollMs))
    }
    wait()
    return () => clearTimeout(timer)
  },
}
