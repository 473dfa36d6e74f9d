import type { UserManager } from 'oidc-client-ts'

/**
 * `current`: requests are sent with a token. `expired`: the token ran out and could not be renewed.
 * `refused`: the server does not take the token, nor a renewed one.
 */
export type SessionState = 'current' | 'expired' | 'refused'

/** What becomes of the access token between sign-in and sign-out. */
export type Session = {
  readonly state: SessionState
  /** Whether a page holds what would be lost if the user were sent away. */
  readonly held: boolean
  /** The access token, after a renewal that is under way. */
  token(): Promise<string | undefined>
  /** Tells of a 401: renews the token once. */
  unauthorized(): void
  /** Tells that a renewed token was refused as well. */
  refused(): void
  /** Tells that the server took the token. */
  accepted(): void
  /** Keeps the user from being sent away until the returned function is called. */
  hold(): () => void
  /** Told when `state` or `held` changes; returns how to stop. */
  subscribe(listener: () => void): () => void
}

const redirectedKey = 'vitrine.redirected'

/** Whether a sign-in was already begun because of a refusal: a second one would be a loop. */
export function redirectedBefore(): boolean {
  return sessionStorage.getItem(redirectedKey) !== null
}

export function noteRedirect(): void {
  sessionStorage.setItem(redirectedKey, '1')
}

export function createSession(
  userManager: Pick<UserManager, 'getUser' | 'signinSilent' | 'events'>,
): Session {
  let state: SessionState = 'current'
  let holds = 0
  let renewal: Promise<boolean> | undefined
  const listeners = new Set<() => void>()
  const tell = () => listeners.forEach((listener) => listener())
  const become = (next: SessionState) => {
    if (state === next) return
    state = next
    tell()
  }

  const renew = () => {
    renewal ??= userManager
      .signinSilent()
      .then(
        (user) => user !== null,
        () => false,
      )
      .finally(() => {
        renewal = undefined
      })
    return renewal
  }
  const renewOr = async (otherwise: SessionState) => {
    if (!(await renew())) become(otherwise)
  }

  // A new token may well be refused like the one before: only an accepted one ends that.
  userManager.events.addUserLoaded(() => {
    if (state === 'expired') become('current')
  })
  userManager.events.addAccessTokenExpired(() => void renewOr('expired'))

  return {
    get state() {
      return state
    },
    get held() {
      return holds > 0
    },
    async token() {
      await renewal
      return (await userManager.getUser())?.access_token
    },
    unauthorized() {
      if (state === 'current') void renewOr('refused')
    },
    refused() {
      become('refused')
    },
    accepted() {
      sessionStorage.removeItem(redirectedKey)
      become('current')
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
