import {
  type JWTPayload,
  type JWTVerifyGetKey,
  decodeProtectedHeader,
  errors,
  jwtVerify,
} from 'jose'
import { fail, Failure } from '../failure.ts'
import { type AccessToken, type Recipient, accessTokenFault } from './access-token.ts'
import { groupsOf } from './groups.ts'
import type { Authenticate, Identity } from './identity.ts'
import type { SigningKeys } from './signing-keys.ts'
import { TokenFault } from './token-fault.ts'

/**
 * Asymmetric ones only. With a shared secret, whoever can verify can also sign, and a verifier that
 * takes HS256 can be handed a token signed with the public key as the secret (RFC 8725 §2.1).
 */
export const algorithms =
  'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 Ed25519 EdDSA'.split(' ')

/** Headers by which a token would bring its own key (RFC 8725 §3.10). */
export const keyHeaders = ['jwk', 'jku', 'x5u', 'x5c']

/** RFC 6750 §2.1; the scheme in any case (RFC 9110 §11.1). */
const credentials = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i

/** The longest token that is looked at, in characters. */
const tokenLengthMax = 16 * 1024

/** Seconds by which a provider's clock may be ahead of ours when it issues a token. */
export const issueTolerance = 60

export type BearerOptions = Recipient & {
  /** Compared with the tokens' `iss` to the letter. */
  issuer: string
  /** Claim that lists the groups of a person. */
  groupsClaim?: string | undefined
  keys: SigningKeys
  /** Whether a token that is good in itself ended before its time; asked at every call. */
  isRevoked?: (token: AccessToken) => Promise<boolean>
  /** Milliseconds since 1970. */
  clock?: () => number
}

/** The check of every call: a JWT access token of one issuer, for this API, in the header. */
export function createBearer({
  issuer,
  groupsClaim,
  audience,
  clientId,
  keys,
  isRevoked,
  clock = Date.now,
}: BearerOptions): Authenticate {
  const verifiedTokens = new VerifiedTokens()
  const expected = { issuer, audience: audience ?? clientId, algorithms }
  const refuse = (reason: string, authorization: string) =>
    new Failure('TOKEN_INVALID', { cause: new TokenFault(reason, expected, authorization) })

  return async (authorization) => {
    if (authorization === undefined) throw fail('TOKEN_MISSING')
    const seconds = clock() / 1000
    // As it is before the check: keys that change meanwhile must not make an old verification new.
    const generation = keys.generation()
    let token = verifiedTokens.find(authorization, { seconds, generation })
    if (token === undefined) {
      token = await verify(authorization, seconds)
      verifiedTokens.keep(authorization, { token, verifiedAt: seconds, generation })
    }
    if (isRevoked !== undefined && (await isRevoked(token))) {
      throw refuse('it was revoked, or its session was ended', authorization)
    }
    return token.identity
  }

  async function verify(authorization: string, seconds: number): Promise<AccessToken> {
    const refused = (reason: string) => refuse(reason, authorization)
    if (authorization.length > tokenLengthMax) {
      throw refused(`it has more than ${tokenLengthMax} characters`)
    }
    const token = credentials.exec(authorization)?.[1]
    if (token === undefined) throw refused('the header is not "Bearer" and one token')
    try {
      const header = decodeProtectedHeader(token)
      if (keyHeaders.some((name) => name in header)) throw refused('it brings its own key')
      const { payload } = await withAnyKey(keys, (key) =>
        jwtVerify(token, key, {
          issuer,
          algorithms,
          requiredClaims: ['sub', 'exp'],
          clockTolerance: issueTolerance,
          currentDate: new Date(seconds * 1000),
        }),
      )
      const { sub, exp, iat, jti, sid } = payload
      if (typeof sub !== 'string' || sub === '' || exp === undefined) {
        throw refused('it names no subject')
      }
      if (iat !== undefined && iat > seconds + issueTolerance) {
        throw refused('it was issued in the future: compare the clocks')
      }
      const fault = accessTokenFault({ header, payload }, { audience, clientId })
      if (fault !== undefined) throw refused(fault)
      if (isExpired(exp, seconds)) throw fail('TOKEN_EXPIRED')
      return {
        identity: {
          issuer,
          subject: sub,
          ...namesOf(payload),
          ...(groupsClaim !== undefined && {
            ...groupsOf(payload, groupsClaim),
            groupsAt: iat ?? Math.floor(seconds),
          }),
        },
        expiresAt: exp,
        issuedAt: iat,
        id: typeof jti === 'string' ? jti : undefined,
        sessionId: typeof sid === 'string' ? sid : undefined,
      }
    } catch (error) {
      if (error instanceof Failure) throw error
      if (error instanceof errors.JWTExpired) throw new Failure('TOKEN_EXPIRED', { cause: error })
      throw refused((error as Error).message)
    }
  }
}

/** Providers may publish several keys under one id, or tokens name none: then each key is tried. */
export async function withAnyKey<T>(
  keys: SigningKeys,
  verify: (key: JWTVerifyGetKey) => Promise<T>,
): Promise<T> {
  try {
    return await verify(keys.find)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      try {
        return await verify(async () => key)
      } catch (failed) {
        if (!(failed instanceof errors.JWSSignatureVerificationFailed)) throw failed
      }
    }
    throw error
  }
}

/** Length at which a name is cut off, in code points. */
const lengthMax = 200

/** Characters that would disturb the text around a name: controls, lone surrogates, and changes of direction. */
const disturbing = /[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu

/**
 * The names of a person in a verified token (OpenID Connect Core 1.0 §5.1). Keycloak puts them into access tokens; a
 * provider that does not leaves people known by their subjects, as what a client says of itself proves nothing.
 */
function namesOf(payload: JWTPayload): Pick<Identity, 'name' | 'username'> {
  const username = readName(payload['preferred_username'])
  return { name: readName(payload['name']) ?? username, username }
}

function readName(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined
  const name = Array.from(claim.replaceAll(disturbing, '').trim()).slice(0, lengthMax).join('')
  return name === '' ? undefined : name
}

/**
 * The `Authorization` header of a request, from its raw headers. Node keeps the first of two and drops
 * the other; here both are kept, so that they do not pass as one.
 */
export function authorizationHeader(rawHeaders: string[]): string | undefined {
  let header: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length === 13 && name.toLowerCase() === 'authorization') {
      const value = rawHeaders[index + 1]!
      header = header === undefined ? value : `${header}, ${value}`
    }
  }
  return header
}

/** Tokens kept at most; at some 1 KB each, a few megabytes. */
const capacity = 4096

/** How long a verification serves before it is done again, in seconds. */
const verifiedFor = 60

type Verified = { token: AccessToken; verifiedAt: number; generation: number }

/** Seconds by which a provider's clock may be behind ours when a token expires. */
const expiryTolerance = 5

/** Whether a token's time is over; both in seconds since 1970. */
export function isExpired(expiresAt: number, seconds: number): boolean {
  return expiresAt + expiryTolerance <= seconds
}

/**
 * Headers with a token whose signature was found good, because checking one takes longer than
 * everything else that a small request needs. Expiry is judged at every use, and another set of keys forgets all.
 */
class VerifiedTokens {
  readonly #kept = new Map<string, Verified>()

  find(authorization: string, { seconds, generation }: { seconds: number; generation: number }) {
    const verified = this.#kept.get(authorization)
    if (verified === undefined) return undefined
    const serves =
      verified.generation === generation &&
      seconds - verified.verifiedAt < verifiedFor &&
      !isExpired(verified.token.expiresAt, seconds)
    if (serves) return verified.token
    this.#kept.delete(authorization)
    return undefined
  }

  keep(authorization: string, verified: Verified): void {
    this.#kept.set(authorization, verified)
    if (this.#kept.size > capacity) this.#kept.delete(this.#kept.keys().next().value!)
  }
}
