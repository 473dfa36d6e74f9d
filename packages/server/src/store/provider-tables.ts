import type { Generated } from 'kysely'

/** People of the built-in provider. */
export interface AccountsTable {
  /** The subject of their tokens: random, and never given again. */
  id: string
  /** In lower case. */
  name: string
  /** A hash with the parameters that it was made with. */
  password: string
  created_at: number
  /** Tokens issued before this serve no more. */
  sessions_ended_at: Generated<number>
  /** 1 as long as the password is one that was made up for the person. */
  must_change: Generated<0 | 1>
}

/** State of the built-in provider: sessions, grants, codes, refresh tokens, sign-ins under way. */
export interface ProviderStateTable {
  kind: string
  id: string
  /** JSON. */
  payload: string
  /** Another name: the uid of a session, the code that people type of a device code. */
  uid: string | null
  grant_id: string | null
  account_id: string | null
  consumed_at: number | null
  expires_at: number
}

/** Secrets as JSON: the built-in provider's, and the key that signs logs. */
export interface ProviderKeysTable {
  name: string
  value: string
}

/** Failed sign-ins of an account or from an address. */
export interface SignInAttemptsTable {
  subject: string
  failures: number
  /** Before this no other attempt is taken. */
  retry_at: number
  forget_at: number
}
