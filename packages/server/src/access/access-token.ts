import type { JWTPayload, ProtectedHeaderParameters } from 'jose'
import type { Identity } from './identity.ts'

/** The claims of a verified access token. Times are in seconds since 1970. */
export type AccessToken = {
  identity: Identity
  expiresAt: number
  issuedAt: number | undefined
  /** `jti`. */
  id: string | undefined
  /** `sid`: what it ends with, where the provider says so. */
  sessionId: string | undefined
}

/** Whom a token must be for. */
export type Recipient = {
  /** The name of this API among the token's audiences; undefined when the provider gives it none. */
  audience: string | undefined
  clientId: string
}

/**
 * Says why a token of the right issuer may not be used on this API: it has to be an access token, not an
 * ID token, and issued for us (docs/decisions/sign-in.md).
 * @returns undefined when it may
 */
export function accessTokenFault(
  { header, payload }: { header: ProtectedHeaderParameters; payload: JWTPayload },
  recipient: Recipient,
): string | undefined {
  const fault = kindFault({ header, payload }, recipient)
  if (fault !== undefined) return `it is no access token: ${fault}`
  if (!isFor(payload, recipient)) return 'it is for another audience'
  return undefined
}

/** Claims that only ID tokens carry (OpenID Connect Core 1.0 §2, §3.3.2.11; FAPI 1 for `s_hash`). */
const idTokenClaims = ['nonce', 'at_hash', 'c_hash', 's_hash']

/** Claims about the grant behind an access token: RFC 9068 §2.2, Entra ID and Okta, Cognito. */
const accessTokenClaims = ['scope', 'scp', 'client_id']

/**
 * Says why a token is no access token, as the end of a sentence about it.
 * @returns undefined when it is one
 */
export function kindFault(
  { header, payload }: { header: ProtectedHeaderParameters; payload: JWTPayload },
  { audience, clientId }: Recipient,
): string | undefined {
  const type = mediaType(header.typ)
  if (type === 'at+jwt') return undefined
  // Another explicit type is another kind of token (RFC 8725 §3.11): logout+jwt, dpop+jwt...
  if (type !== undefined && type !== 'jwt') return `its header has the typ ${type}`
  // Keycloak names the kind in the payload: Bearer, ID, Refresh, Offline, Logout. Cognito does so under another name.
  for (const [claim, kind] of [
    ['typ', 'Bearer'],
    ['token_use', 'access'],
  ] as const) {
    if (payload[claim] === kind) return undefined
    if (payload[claim] !== undefined) return `its ${claim} is not ${kind}`
  }
  const carries = (claim: string) => payload[claim] !== undefined
  const ofId = idTokenClaims.find(carries)
  if (ofId !== undefined) return `it has ${ofId}, as ID tokens have`
  if (accessTokenClaims.some(carries)) return undefined
  // authentik and Dex write none of them. The client is among the audiences of every ID token.
  if (payload['azp'] === clientId) return undefined
  const isOfApi = audience !== undefined && audience !== clientId
  if (isOfApi && audiencesOf(payload).includes(audience)) return undefined
  const wanted = isOfApi ? `azp ${clientId} or the aud ${audience}` : `azp ${clientId}`
  return `it has none of ${accessTokenClaims.join(', ')}, and not the ${wanted}`
}

/** RFC 7515 §4.1.9: the prefix `application/` may be left out. */
function mediaType(typ: unknown): string | undefined {
  return typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : undefined
}

export function isFor(payload: JWTPayload, { audience, clientId }: Recipient): boolean {
  const audiences = audiencesOf(payload)
  if (audience !== undefined) return audiences.includes(audience)
  if (audiences.includes(clientId)) return true
  return (payload['azp'] ?? payload['client_id']) === clientId
}

function audiencesOf({ aud }: JWTPayload): unknown[] {
  return Array.isArray(aud) ? aud : [aud]
}
