import type { ClientAuthorizationState, KoaContextWithOIDC } from 'oidc-provider'
import { parse } from 'bowser'
import {
  type SessionKeys,
  lastRenewals,
  listSessionState,
  putState,
  signedInBrowser,
} from '../../store/provider.ts'
import type { Db, Store } from '../../store/store.ts'
import { isNative } from './clients.ts'

/** Length at which the user agent of a program is cut off, in characters. */
const userAgentMax = 400

/** Session of somebody who is signed in. Moments are in milliseconds since 1970. */
export type Session = SessionKeys & {
  /** Identifier in forms. */
  id: string
  /** The command line's own, signed in with the browser. */
  isCommandLine: boolean
  browser: string
  signedInAt: number
  lastUsedAt: number
}

/** Longer than any session lasts. */
const keptMs = 31 * 24 * 3_600_000

/** Notes which browser somebody signs in with, or visits with again. */
export async function noteBrowser(
  store: Store,
  ctx: KoaContextWithOIDC,
  grantId: string,
): Promise<void> {
  const { session } = ctx.oidc
  if (session?.accountId === undefined) return
  const accountId = session.accountId
  const payload = JSON.stringify({ browser: browserName(ctx.get('user-agent')), at: Date.now() })
  const note = { kind: signedInBrowser, payload, uid: null, account_id: accountId }
  const expires_at = Date.now() + keptMs
  await store.write(async (transaction) => {
    await putState(transaction, { ...note, id: session.uid, grant_id: null, expires_at })
    // Signing in the command line signs the browser in as well; either may end before the other.
    if (!isNative(ctx)) return
    await putState(transaction, { ...note, id: grantId, grant_id: grantId, expires_at })
  })
}

/** The sessions of an account, the one last used first. */
export async function sessionsOf(
  db: Db,
  { accountId, cliClientId }: { accountId: string; cliClientId: string },
): Promise<Session[]> {
  const rows = await listSessionState(db, accountId)
  const renewals = await lastRenewals(db, accountId)
  const browsers = new Map(
    rows
      .filter(({ kind }) => kind === signedInBrowser)
      .map(({ id, payload }) => [id, JSON.parse(payload) as { browser: string; at: number }]),
  )
  const session = (
    id: string,
    { signedInAt, ...keys }: SessionKeys & { signedInAt: number; isCommandLine: boolean },
  ): Session => {
    const latest = browsers.get(id)
    const uses = keys.grantIds.map((grantId) => renewals.get(grantId) ?? 0)
    return {
      id,
      ...keys,
      browser: latest?.browser ?? browserName(undefined),
      signedInAt,
      lastUsedAt: Math.max(signedInAt, latest?.at ?? 0, ...uses),
    }
  }
  const sessions = rows.flatMap((row) => {
    if (row.kind === 'Session') {
      const { loginTs, authorizations } = JSON.parse(row.payload) as SessionPayload
      const keys = { sessionUid: row.uid!, grantIds: grantsOf(authorizations) }
      return [session(row.uid!, { ...keys, isCommandLine: false, signedInAt: loginTs * 1000 })]
    }
    if (row.kind !== 'Grant') return []
    const { clientId, iat } = JSON.parse(row.payload) as { clientId: string; iat: number }
    if (clientId !== cliClientId) return []
    const keys = { sessionUid: undefined, grantIds: [row.id] }
    return [session(row.id, { ...keys, isCommandLine: true, signedInAt: iat * 1000 })]
  })
  return sessions.toSorted((one, other) => other.lastUsedAt - one.lastUsedAt)
}

/** The part of a signed-in session of `oidc-provider` that is read here. */
type SessionPayload = {
  loginTs: number
  authorizations?: Record<string, ClientAuthorizationState>
}

/** The grants that end with a session; those of the command line do not. */
function grantsOf(authorizations: SessionPayload['authorizations']): string[] {
  return Object.values(authorizations ?? {}).flatMap(({ grantId, persistsLogout }) =>
    grantId === undefined || persistsLogout === true ? [] : [grantId],
  )
}

/** Says a user agent in plain words, such as `Firefox on Windows`. */
function browserName(userAgent: string | undefined): string {
  const agent = (userAgent ?? '').slice(0, userAgentMax)
  // It takes no empty text.
  const { browser, os } = parse(agent || 'unknown')
  const name = browser.name || 'Unknown browser'
  return os.name ? `${name} on ${os.name}` : name
}
