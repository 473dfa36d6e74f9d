import type { TokenInfo } from '@vitrine/contract'
import type { TokenRow } from '../store/tokens.ts'

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
