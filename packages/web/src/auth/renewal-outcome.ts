import { ErrorResponse, ErrorTimeout } from 'oidc-client-ts'

/** Errors of a provider that mean its own state, not the session's (RFC 6749 §4.1.2.1). */
const passing = ['server_error', 'temporarily_unavailable', 'slow_down']

/** What an error of a silent renewal says of the session. */
export function renewalOutcome(error: unknown): 'timedOut' | 'failed' | 'denied' {
  if (error instanceof ErrorTimeout) return 'timedOut'
  if (!(error instanceof ErrorResponse)) return 'failed'
  return passing.includes(error.error ?? '') ? 'failed' : 'denied'
}
