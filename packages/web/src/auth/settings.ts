import type { RuntimeConfig } from '@vitrine/contract'
import type { UserManagerSettings } from 'oidc-client-ts'

/**
 * How `oidc-client-ts` is configured: what has no default, what differs from it, and what the session
 * counts on (docs/decisions/sessions.md).
 */
export function signInSettings(
  { authority, clientId, scope }: Pick<RuntimeConfig, 'authority' | 'clientId' | 'scope'>,
  origin: string,
): UserManagerSettings {
  const siteRoot = `${origin}/`
  return {
    authority,
    client_id: clientId,
    scope,
    redirect_uri: siteRoot,
    post_logout_redirect_uri: siteRoot,
    revokeTokensOnSignout: true,
    revokeTokenTypes: ['access_token', 'refresh_token'],
    // What a revocation answers with is to be ignored (RFC 7009 §2.2), so its media type is free.
    revokeTokenAdditionalContentTypes: ['text/plain', 'text/html'],
    // `session.ts` renews: the library begins again once a second as soon as a token has 60 s left.
    automaticSilentRenew: false,
    staleStateAgeInSeconds: 900,
    accessTokenExpiringNotificationTimeInSeconds: 60,
    silentRequestTimeoutInSeconds: 10,
  }
}
