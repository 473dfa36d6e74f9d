import type { User } from 'oidc-client-ts'

const key = 'vitrine.tokenLife'

/**
 * How long a user's access token lives in all, in milliseconds. Nothing in it says so but the time when it came,
 * so that is noted for when the page is loaded again.
 */
export function tokenLife(
  { expires_at: expiresAt = Infinity }: Pick<User, 'expires_at'>,
  { now, storage }: { now: number; storage: Storage },
): number {
  const left = expiresAt * 1000 - now
  const [noted, life] = (storage.getItem(key) ?? '').split(' ').map(Number)
  if (noted === expiresAt && life !== undefined) return life
  storage.setItem(key, `${expiresAt} ${left}`)
  return left
}
