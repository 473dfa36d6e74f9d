import type { JWTPayload } from 'jose'
import type { Identity } from './identity.ts'

/** Length at which a name is cut off, in code points. */
const lengthMax = 200

/** Characters that would disturb the text around a name: controls, lone surrogates, and changes of direction. */
const disturbing = /[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu

/**
 * The names of a person in a verified token (OpenID Connect Core 1.0 §5.1). Keycloak puts them into access tokens; a
 * provider that does not leaves people known by their subjects, as what a client says of itself proves nothing.
 */
export function namesOf(payload: JWTPayload): Pick<Identity, 'name' | 'username'> {
  const username = readName(payload['preferred_username'])
  return { name: readName(payload['name']) ?? username, username }
}

function readName(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined
  const name = Array.from(claim.replaceAll(disturbing, '').trim()).slice(0, lengthMax).join('')
  return name === '' ? undefined : name
}
