import { decodeJwt, decodeProtectedHeader } from 'jose'

/** The claims a token must have: exactly `issuer`, and `audience` among its audiences or as its client. */
export type ExpectedToken = { issuer: string; audience: string; algorithms: string[] }

/** Why a token was refused, for the log: what was expected and what it says, never the token itself. */
export class TokenFault extends Error {
  override name = 'TokenFault'
  readonly expected: ExpectedToken
  readonly found: Record<string, unknown>

  constructor(reason: string, expected: ExpectedToken, authorization: string) {
    super(reason)
    this.expected = expected
    this.found = describeToken(authorization.replace(/^Bearer /i, ''))
  }
}

const headerNames = ['alg', 'kid', 'typ']
const claimNames = ['iss', 'aud', 'azp', 'client_id', 'typ', 'token_use', 'exp', 'nbf', 'iat']

/** No claim of ours is longer, and the sender of a token chooses its content. */
const lengthMax = 200

/** The parts of a token that say where it is from and for whom, unverified. */
function describeToken(token: string): Record<string, unknown> {
  try {
    const header = pick(decodeProtectedHeader(token), headerNames)
    return { header, claims: pick(decodeJwt(token), claimNames) }
  } catch {
    return { characters: token.length, dots: token.split('.').length - 1 }
  }
}

function pick(from: object, names: string[]): Record<string, unknown> {
  const entries = Object.entries(from).filter(([name]) => names.includes(name))
  return Object.fromEntries(entries.map(([name, value]) => [name, shorten(value)]))
}

function shorten(value: unknown): unknown {
  if (typeof value === 'number') return value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text
}
