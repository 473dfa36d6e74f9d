import { ErrorResponse, type SigninRedirectArgs, type User } from 'oidc-client-ts'
import { forgetReturnPath, keepReturnPath, readReturnPath, sameSitePath } from './return-path.ts'

/** Comes back with the provider's reply. */
const silent = { isSilent: true }

/**
 * Arguments of a sign-in from a page: without a word from the user where the provider has a session of theirs, which
 * leads back to the page. The site root, where every sign-in ends, needs no such attempt.
 */
export function signInFrom(location: Location): SigninRedirectArgs | undefined {
  keepReturnPath(location)
  const { origin, pathname, search, hash } = location
  if (sameSitePath(pathname + search + hash, origin) === undefined) return undefined
  return { prompt: 'none', redirectMethod: 'replace', state: silent }
}

/** The page that a silent sign-in leads back to; undefined after any other sign-in. */
export function takeSilentReturn(user: User | undefined): string | undefined {
  if (!isSilent(user?.state)) return undefined
  const path = readReturnPath()
  forgetReturnPath()
  return path
}

/** Whether the provider has not signed the user in silently, and has to ask. */
export function mustAsk(error: { innerError?: unknown } | undefined): boolean {
  return error?.innerError instanceof ErrorResponse && isSilent(error.innerError.state)
}

function isSilent(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'isSilent' in state
}
