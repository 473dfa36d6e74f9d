import type { DatasetRole, TokenScope } from '@vitrine/contract'
import type { Visibility } from '../store/visibility.ts'

/** Who makes a request. People are told apart by issuer and subject, never by name or e-mail. */
export type Identity = {
  issuer: string
  subject: string
  /** Display name, where the provider has one; it decides nothing. */
  name?: string | undefined
  /** The name that the person signs in by (`preferred_username`), where the provider says so. */
  username?: string | undefined
  /** Groups of the provider (`groupName`); of a personal access token, those at the last sign-in. */
  groups?: readonly string[] | undefined
  /** Set where the token of the provider says that there are groups, and does not list them. */
  groupsOmitted?: true | undefined
  /** When the token of the provider was issued that says so, in seconds since 1970. */
  groupsAt?: number | undefined
  /** Ids of the datasets that their personal access token is for; undefined where it is all, or a sign-in. */
  datasets?: readonly number[] | undefined
}

/** An identity as the store keeps it, in `created_by`: no issuer has a space in it. */
export function identityKey({ issuer, subject }: Identity): string {
  return `${issuer} ${subject}`
}

/** A person as the store notes one. */
export function personOf(identity: Identity): { key: string; name: string | undefined } {
  return { key: identityKey(identity), name: identity.name }
}

/** Role of somebody on one dataset, which may lose its name to another one. */
export type Access = DatasetRole & { datasetId: number }

/** Somebody who changes datasets, and those that they may read. */
export type Author = { identity: Identity; visibility: Visibility }

/** Who makes a call, and what calls they may make with what they came with. */
export type Caller = {
  identity: Identity
  scope: TokenScope | 'session'
  /** The one state of the dataset that a signed link shows. */
  at?: number | undefined
}

/**
 * Checks the access token of a provider, in the `Authorization` header of a request.
 * @throws Failure TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED, PROVIDER_UNAVAILABLE
 */
export type Authenticate = (authorization: string | undefined) => Promise<Identity>
