import { Failure } from '../failure.ts'
import type { Authenticate, Caller } from './identity.ts'
import { PersonalTokenFault } from './personal-token.ts'

/**
 * Checks the `Authorization` header of a call, or the text of a signed link where there is none.
 * @throws Failure TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED, LINK_INVALID, PROVIDER_UNAVAILABLE
 */
export type CallAccess = (authorization: string | undefined, link?: string) => Promise<Caller>

/** RFC 6750 §2.1 and RFC 7617 §2; the scheme in any case. */
const bearer = /^Bearer (vtr_.*)$/i
const basic = /^Basic +([A-Za-z0-9+/]+=*)$/i

/** Whether a header says Basic. */
export function isBasic(authorization: string | undefined): boolean {
  return authorization !== undefined && /^Basic\b/i.test(authorization)
}

/**
 * The check of every call: an access token of the provider, a personal access token as Bearer or as the password of
 * Basic, or a signed link.
 */
export function createCallAccess({
  authenticate,
  checkToken,
  checkLink,
}: {
  authenticate: Authenticate
  checkToken: (text: string) => Promise<Caller>
  checkLink: (text: string) => Promise<Caller>
}): CallAccess {
  return async (authorization, link) => {
    if (authorization === undefined && link !== undefined) return checkLink(link)
    const text = personalToken(authorization)
    if (text !== undefined) return checkToken(text)
    return { identity: await authenticate(authorization), scope: 'session' }
  }
}

/** @throws Failure TOKEN_INVALID for Basic without such a token */
function personalToken(authorization = ''): string | undefined {
  const [, token] = bearer.exec(authorization) ?? []
  if (token !== undefined) return token
  if (!isBasic(authorization)) return undefined
  const [, encoded = ''] = basic.exec(authorization) ?? []
  const decoded = Buffer.from(encoded, 'base64').toString()
  // RFC 7617 §2: a name has no colon in it.
  const password = decoded.slice(decoded.indexOf(':') + 1)
  if (decoded.includes(':') && password.startsWith('vtr_')) return password
  throw new Failure('TOKEN_INVALID', {
    cause: new PersonalTokenFault('the password of Basic is no personal access token'),
  })
}
