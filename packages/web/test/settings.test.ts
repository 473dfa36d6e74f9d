import { UserManagerSettingsStore } from 'oidc-client-ts'
import { expect, test } from 'vitest'
import { signInSettings } from '../src/auth/settings.ts'

test('the constants of a sign-in and a session', () => {
  const settings = new UserManagerSettingsStore(
    signInSettings(
      { authority: 'https://id.example/realms/a', clientId: 'vitrine', scope: 'openid' },
      'https://vitrine.example',
    ),
  )
  expect(settings).toMatchObject({
    authority: 'https://id.example/realms/a',
    client_id: 'vitrine',
    scope: 'openid',
    response_type: 'code',
    disablePKCE: false,
    redirect_uri: 'https://vitrine.example/',
    post_logout_redirect_uri: 'https://vitrine.example/',
    staleStateAgeInSeconds: 900,
    accessTokenExpiringNotificationTimeInSeconds: 60,
    silentRequestTimeoutInSeconds: 10,
    checkSessionIntervalInSeconds: 2,
    // Renewing by itself is the session's (session.test.ts).
    automaticSilentRenew: false,
    validateSubOnSilentRenew: true,
    revokeTokensOnSignout: true,
    revokeTokenTypes: ['access_token', 'refresh_token'],
  })
})
