import {
  type CreatedToken,
  type TokenInfo,
  api,
  check,
  parseMoment,
  invalidExpiry,
} from '@vitrine/contract'
import { expectChecked, fail, failAt } from '../failure.ts'
import { writeAudit } from '../store/audit-log.ts'
import { recordPerson } from '../store/people.ts'
import { type TokenRow, insertToken } from '../store/tokens.ts'
import type { Store } from '../store/store.ts'
import { type Identity, personOf } from './identity.ts'
import { hashToken, makeTokenText } from './personal-token.ts'

/**
 * Creates a personal access token of somebody, and gives its text, which is kept nowhere.
 * @throws Failure REQUEST_INVALID, TOKENS_OFF
 */
export async function createToken(
  store: Store,
  input: unknown,
  { identity, isEnabled }: { identity: Identity; isEnabled: boolean },
): Promise<CreatedToken> {
  if (!isEnabled) throw fail('TOKENS_OFF')
  const { name, scope, expiresAt } = expectChecked(
    'REQUEST_INVALID',
    check(api.tokenCreate.body, input),
  )
  const expires_at = expiresAt === null ? null : parseMoment(expiresAt)!
  const unfit = expires_at === null ? undefined : invalidExpiry(expires_at, Date.now())
  if (unfit !== undefined) throw failAt('REQUEST_INVALID', [{ path: ['expiresAt'], reason: unfit }])
  const token = makeTokenText()
  const { issuer, subject } = identity
  const row = await store.write(async (transaction) => {
    const person = personOf(identity)
    await recordPerson(transaction, person)
    const row = await insertToken(transaction, {
      issuer,
      subject,
      sha256: hashToken(token),
      name: name.trim(),
      username: identity.username ?? null,
      scope,
      expires_at,
    })
    const details = { token: row.id, name: row.name, scope }
    await writeAudit(transaction, { what: 'token-created', by: person, details })
    return row
  })
  return { ...tokenInfoOf(row), token }
}

/** A personal access token as it is listed. */
export function tokenInfoOf(row: TokenRow): TokenInfo {
  const { id, name, scope, created_at, expires_at, used_at } = row
  return {
    id,
    name,
    scope,
    createdAt: moment(created_at),
    expiresAt: expires_at === null ? null : moment(expires_at),
    usedAt: used_at === null ? null : moment(used_at),
  }
}

function moment(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
