import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { User, type UserManagerSettings } from 'oidc-client-ts'
import { onTestFinished } from 'vitest'
import { signInSettings } from '../src/auth/settings.ts'

type TokenEndpoint = {
  settings: UserManagerSettings
  /** How often it was asked to renew. */
  readonly renewals: number
  /** Lets every refresh token go, as when a session is ended at the provider. */
  endSessions: () => void
  /** Answers nothing from now on. */
  hang: () => void
  /** Ends every connection without an answer from now on. */
  breakDown: () => void
  /** Answers again. */
  recover: () => void
  /** A user as he is after sign-in. */
  signedIn: (expiresInSeconds: number) => User
}

/** A provider's token endpoint that rotates refresh tokens: each is accepted once. */
export async function startTokenEndpoint({ expiresIn = 300 } = {}): Promise<TokenEndpoint> {
  let renewals = 0
  let health: 'well' | 'hanging' | 'down' = 'well'
  let accepted: string | undefined = 'refresh-0'
  const server = createServer((request, response) => {
    let form = ''
    request.on('data', (chunk) => (form += String(chunk)))
    request.on('end', () => {
      renewals += 1
      if (health === 'down') request.socket.destroy()
      if (health !== 'well') return
      const known = new URLSearchParams(form).get('refresh_token') === accepted
      if (known) accepted = `refresh-${renewals}`
      response.writeHead(known ? 200 : 400, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify(
          known
            ? {
                access_token: `access-${renewals}`,
                refresh_token: accepted,
                token_type: 'Bearer',
                expires_in: expiresIn,
              }
            : { error: 'invalid_grant' },
        ),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const authority = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    settings: {
      ...signInSettings({ authority, clientId: 'vitrine', scope: 'openid' }, 'http://localhost'),
      metadata: { issuer: authority, token_endpoint: `${authority}/token` },
      automaticSilentRenew: false,
    },
    get renewals() {
      return renewals
    },
    endSessions: () => {
      accepted = undefined
    },
    hang: () => {
      health = 'hanging'
    },
    breakDown: () => {
      health = 'down'
    },
    recover: () => {
      health = 'well'
    },
    signedIn: (expiresInSeconds) =>
      new User({
        access_token: 'access-0',
        refresh_token: 'refresh-0',
        token_type: 'Bearer',
        scope: 'openid',
        profile: { sub: 'ada', iss: authority, aud: 'vitrine', exp: 0, iat: 0 },
        expires_at: Math.floor(Date.now() / 1000) + expiresInSeconds,
      }),
  }
}
