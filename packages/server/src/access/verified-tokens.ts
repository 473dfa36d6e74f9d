import type { AccessToken } from './access-token.ts'

/** Tokens kept at most; at some 1 KB each, a few megabytes. */
const capacity = 4096

/** How long a verification serves before it is done again, in seconds. */
const verifiedFor = 60

type Verified = { token: AccessToken; verifiedAt: number; generation: number }

/** Seconds by which a provider's clock may be behind ours when a token expires. */
const expiryTolerance = 5

/** Whether a token's time is over; both in seconds since 1970. */
export function isExpired(expiresAt: number, seconds: number): boolean {
  return expiresAt + expiryTolerance <= seconds
}

/**
 * Headers with a token whose signature was found good, because checking one takes longer than
 * everything else that a small request needs. Expiry is judged at every use, and another set of keys forgets all.
 */
export class VerifiedTokens {
  readonly #kept = new Map<string, Verified>()

  find(authorization: string, { seconds, generation }: { seconds: number; generation: number }) {
    const found = this.#kept.get(authorization)
    if (found === undefined) return undefined
    const serves =
      found.generation === generation &&
      seconds - found.verifiedAt < verifiedFor &&
      !isExpired(found.token.expiresAt, seconds)
    if (serves) return found.token
    this.#kept.delete(authorization)
    return undefined
  }

  keep(authorization: string, verified: Verified): void {
    this.#kept.set(authorization, verified)
    if (this.#kept.size > capacity) this.#kept.delete(this.#kept.keys().next().value!)
  }
}
