import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'

/** The keys that a provider signs with. */
export type SigningKeys = {
  /**
   * The key for a token's header.
   * @throws Failure PROVIDER_UNAVAILABLE, or an error of jose when no key fits
   */
  find: JWTVerifyGetKey
  /** Another number whenever the keys have become others: what was verified before must be again. */
  generation: () => number
}

/** Keys that are at hand, as the built-in provider's are. */
export function localKeys(keys: JSONWebKeySet): SigningKeys {
  return { find: createLocalJWKSet(keys), generation: () => 0 }
}
