import { decodeProtectedHeader, errors, jwtVerify, type JWTVerifyOptions } from 'jose'
import { fail, Failure } from '../failure.ts'
import { isAccessTokenFor, type AccessToken, type Recipient } from './access-token.ts'
import type { Authenticate } from './identity.ts'
import type { SigningKeys } from './signing-keys.ts'
import { isExpired, VerifiedTokens } from './verified-tokens.ts'

/**
 * Asymmetric ones only. With a shared secret, whoever can verify can also sign, and a verifier that
 * takes HS256 can be handed a token signed with the public key as the secret (RFC 8725 §2.1).
 */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 Ed25519 EdDSA'.split(' ')

/** Headers by which a token would bring its own key (RFC 8725 §3.10). */
const keyHeaders = ['jwk', 'jku', 'x5u', 'x5c']

/** RFC 6750 §2.1; the scheme in any case (RFC 9110 §11.1). */
const credentials = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i

/** The longest token that is looked at, in characters. */
const tokenLengthMax = 16 * 1024

/** Seconds by which a provider's clock may be ahead of ours when it issues a token. */
const issueTolerance = 60

export type BearerOptions = Recipient & {
  /** Compared with the tokens' `iss` to the letter. */
  issuer: string
  keys: SigningKeys
  /** Whether a token that is good in itself ended before its time; asked at every call. */
  isRevoked?: (token: AccessToken) => Promise<boolean>
  /** Milliseconds since 1970. */
  clock?: () => number
}

/** The check of every call: a JWT access token of one issuer, for this API, in the header. */
export function createBearer({
  issuer,
  audience,
  clientId,
  keys,
  isRevoked,
  clock = Date.now,
}: BearerOptions): Authenticate {
  const verifiedTokens = new VerifiedTokens()

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
    if (isRevoked !== undefined && (await isRevoked(token))) throw fail('TOKEN_INVALID')
    return token.identity
  }

  async function verify(authorization: string, seconds: number): Promise<AccessToken> {
    if (authorization.length > tokenLengthMax) throw fail('TOKEN_INVALID')
    const token = credentials.exec(authorization)?.[1]
    if (token === undefined) throw fail('TOKEN_INVALID')
    try {
      const header = decodeProtectedHeader(token)
      if (keyHeaders.some((name) => name in header)) throw fail('TOKEN_INVALID')
      const { payload } = await verifyWithAnyKey(token, keys, {
        issuer,
        algorithms,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: issueTolerance,
        currentDate: new Date(seconds * 1000),
      })
      const { sub, exp, iat, jti, sid } = payload
      if (typeof sub !== 'string' || sub === '' || exp === undefined) throw fail('TOKEN_INVALID')
      if (iat !== undefined && iat > seconds + issueTolerance) throw fail('TOKEN_INVALID')
      if (!isAccessTokenFor({ header, payload }, { audience, clientId })) {
        throw fail('TOKEN_INVALID')
      }
      if (isExpired(exp, seconds)) throw fail('TOKEN_EXPIRED')
      return {
        identity: { issuer, subject: sub },
        expiresAt: exp,
        issuedAt: iat,
        id: typeof jti === 'string' ? jti : undefined,
        sessionId: typeof sid === 'string' ? sid : undefined,
      }
    } catch (error) {
      if (error instanceof Failure) throw error
      const code = error instanceof errors.JWTExpired ? 'TOKEN_EXPIRED' : 'TOKEN_INVALID'
      throw new Failure(code, { cause: error })
    }
  }
}

/** Providers may publish several keys under one id, or tokens name none: then each key is tried. */
async function verifyWithAnyKey(token: string, keys: SigningKeys, options: JWTVerifyOptions) {
  try {
    return await jwtVerify(token, keys.find, options)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, options)
      } catch (failed) {
        if (!(failed instanceof errors.JWSSignatureVerificationFailed)) throw failed
      }
    }
    throw error
  }
}
