import type { Authenticate } from '../src/access/identity.ts'

/** The code that a token is refused with, or `accepted`. */
export async function outcome(authenticate: Authenticate, token: string): Promise<string> {
  return authenticate(`Bearer ${token}`).then(
    () => 'accepted',
    (failure: { code: string }) => failure.code,
  )
}
