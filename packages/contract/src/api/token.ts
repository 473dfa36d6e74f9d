import * as z from 'zod/mini'
import { isStorable, notStorable } from '../text/text.ts'
import { limits } from '../limits.ts'
import { parseMoment } from '../text/moment.ts'

/** Scopes of personal access tokens. */
export const tokenScopes = ['deposit', 'read', 'add', 'manage'] as const
export type TokenScope = (typeof tokenScopes)[number]

/** Scope that a call needs: one of a token, or a sign-in. */
export type CallScope = 'read' | 'add' | 'manage' | 'session'

/** Scopes of calls that a token of each scope serves for. */
const servedBy: Record<TokenScope, readonly CallScope[]> = {
  deposit: ['add'],
  read: ['read'],
  add: ['read', 'add'],
  manage: ['read', 'add', 'manage'],
}

/** Whether what somebody came with serves for a call. A sign-in serves for every call. */
export function allows(granted: TokenScope | 'session', needed: CallScope): boolean {
  return granted === 'session' || servedBy[granted].includes(needed)
}

const day = 86_400_000

const nameReason = `must be 1 to ${limits.tokenName} characters that are not all spaces`
export const tokenName = z.string().check(
  z.refine((text) => text.trim() !== '' && text.length <= limits.tokenName, nameReason),
  z.refine(isStorable, notStorable),
)

/** Why a token cannot end at a moment; undefined where it can. Both in milliseconds since 1970. */
export function invalidExpiry(expiresAt: number, now: number): string | undefined {
  if (expiresAt <= now) return 'must be in the future'
  // Of two days that somebody counts, one may be in another time zone.
  if (expiresAt > now + (limits.tokenDays + 1) * day) {
    return `must be at most ${limits.tokenDays} days from now, or null for a token that does not expire`
  }
  return undefined
}

/** Datasets that a token is for, by name. */
const tokenDatasets = z
  .array(
    z.string('must be the name of a dataset').check(z.refine(isStorable, notStorable)),
    'must be names of datasets, or null for all',
  )
  .check(
    z.minLength(1, 'must name a dataset, or be null for all'),
    z.maxLength(limits.tokenDatasets, `must name at most ${limits.tokenDatasets} datasets`),
  )

const momentReason = 'must be a moment in UTC, such as 2027-01-31T12:00:00Z, or null'
const isMoment = (text: string) => parseMoment(text) !== undefined

/** Body of the call that creates a token. */
export const newToken = z.strictObject({
  name: tokenName,
  scope: z.enum(tokenScopes, `must be one of ${tokenScopes.join(', ')}`),
  /** A moment in UTC, at most a year from now; null of a token that does not expire. */
  expiresAt: z.nullable(z.string(momentReason).check(z.refine(isMoment, momentReason))),
  /** The datasets that it is for; all that its owner may use where it is null or left out. */
  datasets: z.optional(z.nullable(tokenDatasets)),
})
export type NewToken = z.infer<typeof newToken>

/** A personal access token as it is listed, without the token itself. Moments are ISO 8601 in UTC. */
export const tokenInfo = z.object({
  id: z.number(),
  name: z.string(),
  scope: z.enum(tokenScopes),
  /** The datasets that it is for, by their names when it was created; null of all that its owner may use. */
  datasets: z.nullable(
    z.array(
      z.object({
        name: z.string(),
        /** False of one that was deleted, or that its owner may not read any more. */
        isThere: z.boolean(),
      }),
    ),
  ),
  createdAt: z.string(),
  /** Null of a token that does not expire. */
  expiresAt: z.nullable(z.string()),
  /** When it was last used, to about a minute; null of one that never was. */
  usedAt: z.nullable(z.string()),
})
export type TokenInfo = z.infer<typeof tokenInfo>

/** A token that was just created: this is the one time that it is shown. */
export const createdToken = z.extend(tokenInfo, { token: z.string() })
export type CreatedToken = z.infer<typeof createdToken>
