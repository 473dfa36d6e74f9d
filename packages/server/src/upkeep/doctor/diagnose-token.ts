import {
  type JWTPayload,
  type ProtectedHeaderParameters,
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
} from 'jose'
import { isFor, kindFault } from '../../access/access-token.ts'
import {
  type BearerOptions,
  algorithms,
  createBearer,
  isExpired,
  issueTolerance,
  keyHeaders,
  withAnyKey,
} from '../../access/bearer.ts'
import { Failure } from '../../failure.ts'
import { type Diagnosis, ok, reasonOf, wrong } from './diagnosis.ts'

type Parts = { header: ProtectedHeaderParameters; payload: JWTPayload }

const fresh = 'paste a new access token, such as that of `vitrine token`'

/** Judges an access token claim by claim, and then as the server does. */
export async function* diagnoseToken(
  token: string,
  options: BearerOptions,
): AsyncGenerator<Diagnosis> {
  const parts = decode(token)
  if (parts === undefined) {
    yield wrong(
      'token',
      'it is no JWT, so that nothing can be read in it',
      'at the provider: let it issue JWT access tokens for the audience in VITRINE_OIDC_AUDIENCE',
    )
  } else {
    const seconds = (options.clock ?? Date.now)() / 1000
    yield await judgeSignature(token, parts, options)
    yield* judgeClaims(parts, { ...options, seconds })
  }
  yield await judgeWhole(token, options)
}

function decode(token: string): Parts | undefined {
  try {
    return { header: decodeProtectedHeader(token), payload: decodeJwt(token) }
  } catch {
    return undefined
  }
}

async function judgeSignature(
  token: string,
  { header }: Parts,
  { keys, issuer }: BearerOptions,
): Promise<Diagnosis> {
  const signed = `signature: ${show(header.alg)} by the key ${show(header.kid)}`
  const own = keyHeaders.find((name) => name in header)
  if (own !== undefined) return wrong('token', `${signed}, brought along as ${own}`, fresh)
  if (!algorithms.includes(header.alg ?? '')) {
    const change = `at the provider: let it sign access tokens with one of ${algorithms.join(', ')}`
    return wrong('token', `${signed}, and that algorithm is not taken`, change)
  }
  try {
    await withAnyKey(keys, (key) => compactVerify(token, key, { algorithms }))
    return ok('token', `${signed}, which is one of ${issuer}`)
  } catch (error) {
    const change = 'VITRINE_OIDC_AUTHORITY: name the provider that issued it'
    return wrong('token', `${signed} is not good: ${reasonOf(error)}`, change)
  }
}

function* judgeClaims(
  { header, payload }: Parts,
  { issuer, audience, clientId, seconds }: BearerOptions & { seconds: number },
): Generator<Diagnosis> {
  const judge = (isGood: boolean, finding: string, otherwise: string, change: string) =>
    isGood ? ok('token', finding) : wrong('token', `${finding}, ${otherwise}`, change)
  const { iss, aud, exp, iat, nbf, sub } = payload

  const issued = `iss: ${show(iss)}`
  const authority =
    'VITRINE_OIDC_AUTHORITY, to the letter, or VITRINE_PUBLIC_URL for the built-in one'
  yield judge(iss === issuer, issued, `and not ${issuer}`, authority)

  const client = payload['azp'] ?? payload['client_id']
  yield judge(
    isFor(payload, { audience, clientId }),
    `aud: ${show(aud)}, for the client ${show(client)}`,
    audience === undefined ? `and not for ${clientId}` : `and ${audience} is not among them`,
    audience === undefined
      ? 'VITRINE_OIDC_CLIENT_ID, or VITRINE_OIDC_AUDIENCE'
      : 'VITRINE_OIDC_AUDIENCE, or at the provider the audience of this client',
  )

  const kind = [header.typ, payload['typ'], payload['token_use']].filter(
    (each) => each !== undefined,
  )
  const fault = kindFault({ header, payload }, { audience, clientId })
  yield judge(
    fault === undefined,
    `typ: ${kind.length === 0 ? 'none' : kind.map(show).join(', ')}`,
    `but it is no access token: ${fault}`,
    fresh,
  )

  const clocks = 'the clocks of this machine and of the provider: set both by NTP'
  yield judge(
    typeof exp === 'number' && !isExpired(exp, seconds),
    `exp: ${moment(exp)}`,
    typeof exp === 'number'
      ? `which was ${Math.round(seconds - exp)} s ago`
      : 'and it must have one',
    `${fresh}; or ${clocks}`,
  )
  for (const [name, from] of [['nbf', nbf] as const, ['iat', iat] as const]) {
    if (from === undefined) continue
    yield judge(
      typeof from === 'number' && from <= seconds + issueTolerance,
      `${name}: ${moment(from)}`,
      typeof from === 'number' ? `${Math.round(from - seconds)} s from now` : 'which is no time',
      clocks,
    )
  }
  const scope = payload['scope'] ?? payload['scp']
  yield ok('token', `scope: ${show(scope)}; the server asks for none`)
  yield judge(
    typeof sub === 'string' && sub !== '',
    `sub: ${show(sub)}`,
    'and it must name one',
    fresh,
  )
}

/** The judgement of the server itself. */
async function judgeWhole(token: string, options: BearerOptions): Promise<Diagnosis> {
  try {
    const { subject } = await createBearer(options)(`Bearer ${token}`)
    return ok('token', `the server takes it, as ${show(subject)}`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const why = error.cause === undefined ? '' : `: ${reasonOf(error)}`
    const finding = `the server refuses it with ${error.code}${why}`
    return wrong('token', finding, 'what the lines above say, or a new token')
  }
}

function moment(seconds: unknown): string {
  const isTime = typeof seconds === 'number' && Math.abs(seconds) < 8e12
  return isTime ? new Date(seconds * 1000).toISOString() : show(seconds)
}

/** Whoever makes a token may write into it what they like. */
function show(value: unknown): string {
  if (value === undefined) return 'none'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
