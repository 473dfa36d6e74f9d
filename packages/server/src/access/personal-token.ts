import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { fail, Failure } from '../failure.ts'
import { type FoundToken, findToken, tokenDatasets } from '../store/tokens.ts'
import type { Store } from '../store/store.ts'
import type { Caller } from './identity.ts'

/** Why a personal access token was refused, for the log, which never has the token itself. */
export class PersonalTokenFault extends Error {
  override name = 'PersonalTokenFault'
  /** The id that it is listed with, where there is such a token. */
  readonly tokenId: number | undefined

  constructor(reason: string, tokenId?: number) {
    super(reason)
    this.tokenId = tokenId
  }
}

export type PersonalTokenOptions = {
  issuer: string
  /** Whether the issuer is the built-in provider, so that it is known whose account was removed. */
  isBuiltIn: boolean
  isEnabled: boolean
  /** Whether groups of the provider count. */
  readsGroups?: boolean
  /** Called on every use of a token. */
  onUsed?: (token: FoundToken) => void
}

/** Personal access tokens, and signed links, which are sent in the address. */
type TokenKind = 'token' | 'link'

/** By what secret scanners find them: `vtr_[0-9A-Za-z]{49}`, `vtl_[0-9A-Za-z]{49}`. */
const prefixes: Record<TokenKind, string> = { token: 'vtr_', link: 'vtl_' }

const refusals = {
  token: { invalid: 'TOKEN_INVALID', expired: 'TOKEN_EXPIRED', off: 'personal access tokens' },
  link: { invalid: 'LINK_INVALID', expired: 'LINK_INVALID', off: 'signed links' },
} as const

/**
 * The check of personal access tokens, or of signed links. The database is asked at every call, as any process may
 * revoke one (docs/decisions/sign-in.md).
 * @returns who the token acts for, and what it may do
 * @throws Failure TOKEN_INVALID, TOKEN_EXPIRED; LINK_INVALID
 */
export function createTokenCheck(
  store: Pick<Store, 'prepare'>,
  { issuer, isBuiltIn, isEnabled, readsGroups = false, onUsed = () => {} }: PersonalTokenOptions,
  kind: TokenKind = 'token',
): (text: string) => Promise<Caller> {
  const find = findToken(store)
  const { invalid, expired, off } = refusals[kind]
  const refused = (reason: string, tokenId?: number) =>
    new Failure(invalid, { cause: new PersonalTokenFault(reason, tokenId) })

  return async (text) => {
    if (!isEnabled) throw refused(`${off} are switched off`)
    if (!isTokenText(text, kind)) throw refused('a character of it is wrong or missing')
    const token = await find(hashToken(text))
    if (token === undefined) throw refused('it was revoked, or never was one')
    const { id, subject, scope, at } = token
    if (token.issuer !== issuer) throw refused(`it is of ${token.issuer}, and not of ${issuer}`, id)
    if (isBuiltIn && token.accountName === null) throw refused('its account was removed', id)
    if (token.isExpired) throw fail(expired)
    onUsed(token)
    // Of an account here it is known what the person signs in by, of others what that was when the token was made.
    const username = isBuiltIn ? token.accountName : token.username
    const groups =
      readsGroups && token.groups !== null ? (JSON.parse(token.groups) as string[]) : undefined
    const datasets = tokenDatasets(token)?.map((dataset) => dataset.id)
    const known = {
      ...(username !== null && { username }),
      ...(groups && { groups }),
      ...(datasets && { datasets }),
    }
    return { identity: { issuer, subject, ...known }, scope, ...(at !== null && { at }) }
  }
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 43 characters of 62 are 256 random bits. */
const secretLength = 43
/** Digits in base 62 of a CRC-32. */
const checksumLength = 6

const form = /^vt[rl]_[0-9A-Za-z]{49}$/

/** Makes up the text of a new token: prefix, secret, checksum. */
export function makeTokenText(kind: TokenKind = 'token'): string {
  const secret = Array.from({ length: secretLength }, () => alphabet[randomInt(alphabet.length)])
  const beginning = prefixes[kind] + secret.join('')
  return beginning + checksum(beginning)
}

/** Whether a text may be a token: one that was typed wrong or cut off is told without the database. */
export function isTokenText(text: string, kind: TokenKind = 'token'): boolean {
  return (
    form.test(text) &&
    text.startsWith(prefixes[kind]) &&
    text.endsWith(checksum(text.slice(0, -checksumLength)))
  )
}

/**
 * Hashes a token as it is stored, in hex. A fast hash will do for 256 random bits, as nobody can try them out; and the
 * time of a look-up may differ, as how far two hashes agree tells nothing of the token.
 */
export function hashToken(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < checksumLength; place += 1) {
    digits = alphabet[rest % alphabet.length]! + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}
