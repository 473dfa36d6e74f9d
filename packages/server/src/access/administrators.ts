import type { Config } from '../config.ts'
import { fail } from '../failure.ts'
import type { Identity } from './identity.ts'

/** Whoever may see the audit log. */
export type Administrators = {
  has: (identity: Identity) => boolean
  /** @throws Failure ADMINISTRATOR_REQUIRED */
  require: (identity: Identity) => void
}

/**
 * The administrators that the configuration names, by subject or by the name that they sign in by. What people are
 * called makes none: at many providers everybody chooses that. The built-in provider has `admin` where none are named.
 */
export function administrators({ admins, oidc }: Pick<Config, 'admins' | 'oidc'>): Administrators {
  const named = new Set(admins ?? (oidc.authority === undefined ? ['admin'] : []))
  const has = ({ subject, username }: Identity) =>
    named.has(subject) || (username !== undefined && named.has(username))
  return {
    has,
    require: (identity) => {
      if (!has(identity)) throw fail('ADMINISTRATOR_REQUIRED')
    },
  }
}
