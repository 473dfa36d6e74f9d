import type { EventEmitter } from 'node:events'
import {
  type Configuration,
  type KoaContextWithOIDC,
  errors,
  interactionPolicy,
  Provider,
} from 'oidc-provider'
import { findAccount } from '../../store/accounts.ts'
import type { Store } from '../../store/store.ts'
import { isNative, providerClients, realmPath } from './clients.ts'
import { cookieNames } from './known-browser.ts'
import { deviceCodeLife, deviceFlow, lookUpTypedCode, takeUserCode } from './device-flow.ts'
import { existingGrant } from './revocations.ts'
import { errorPage, providerPolicy, signedOutPage, signOutPage } from './pages/page.ts'
import type { ProviderSecrets } from './provider-secrets.ts'
import { noteBrowser } from './sessions.ts'
import { stateAdapter } from './state-adapter.ts'

export type ProviderOptions = {
  store: Store
  secrets: ProviderSecrets
  /** Public URL of the server, without a slash at the end. */
  publicUrl: string
  clientId: string
  /** The audience of access tokens. */
  audience: string
  /** The scopes that clients may ask for, parted by spaces. */
  scope: string
  accessTokenSeconds: number
  /** Takes an access token of a client back; of anything else, does nothing. */
  revokeAccessToken: (token: string, clientId: string) => Promise<void>
  /** Takes errors that are no fault of a request. */
  onError: (error: Error) => void
}

/** Seconds. */
const day = 24 * 3600
const lives = {
  /** A session lives on with every visit, until it is so old; one in which nobody has signed in yet, an hour. */
  session: 14 * day,
  sessionMax: 30 * day,
  sessionBefore: 3600,
  /** A refresh token ends this long after sign-in regardless. */
  refreshToken: 14 * day,
  /** At least as long as anything that is issued on it: it begins anew with every issue. */
  grant: 15 * day,
  authorizationCode: 60,
  idToken: 3600,
  /** How long the sign-in page may stay open. */
  interaction: 3600,
}

/** Seconds that a session still has; `loginTs` is when somebody signed in, in seconds since 1970. */
function sessionLife(accountId: string | undefined, loginTs: number | undefined): number {
  if (accountId === undefined || loginTs === undefined) return lives.sessionBefore
  const left = loginTs + lives.sessionMax - Math.floor(Date.now() / 1000)
  return Math.max(1, Math.min(lives.session, left))
}

/** Routes whose errors are JSON, whatever a program says that it takes (RFC 6749 §5.2). */
const askedByPrograms = ['token', 'revocation', 'device_authorization']

/** Names the API as the `resource` of access tokens (RFC 8707), whatever their audience is called. */
function apiOf(publicUrl: string): string {
  return `${publicUrl}/api`
}

/**
 * The OpenID provider for the product's own two public clients: authorization code with PKCE, device
 * codes for the command line, rotating refresh tokens, and nothing else. Of what `oidc-provider` can
 * do, everything that they do not need is off.
 */
export function createProvider(issuer: string, options: ProviderOptions): Provider {
  const { store, secrets, publicUrl, clientId, audience, accessTokenSeconds } = options
  const siteRoot = `${publicUrl}/`
  const api = apiOf(publicUrl)
  const scopes = new Set(['openid', 'profile', 'offline_access', ...options.scope.split(' ')])
  const everyScope = [...scopes].join(' ')
  const names = cookieNames(publicUrl)
  const path = names.isSecure ? '/' : realmPath
  const cookie = { httpOnly: true, sameSite: 'lax', path } as const

  const configuration: Configuration = {
    // A code is looked up in the request in which it was typed.
    adapter: stateAdapter(store, (find) => lookUpTypedCode(store, find, Provider.ctx!, publicUrl)),
    clients: providerClients({ clientId, publicUrl }),
    jwks: { keys: [secrets.idTokenKey, secrets.accessTokenKey] },
    cookies: {
      keys: secrets.cookieKeys,
      names: { session: names.session, interaction: names.interaction, resume: names.resume },
      long: cookie,
      short: { httpOnly: true, sameSite: 'lax' },
    },
    scopes: [...scopes],
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'] },
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    allowOmittingSingleRegisteredRedirectUri: false,
    pkce: { required: () => true },
    clientBasedCORS: (_ctx, origin) => origin === publicUrl,
    discovery: { userinfo_endpoint: `${issuer}/me` },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      // Refuses tokens for another audience; `user-info.ts` serves ours.
      userinfo: { enabled: false },
      deviceFlow,
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          const hint = ctx.oidc.entities.IdTokenHint?.payload['sub']
          ctx.body = signOutPage({
            form,
            siteRoot,
            // A valid hint is the app's own request; without one, another site may have led here.
            isConfirmed: hint === ctx.oidc.session?.accountId,
          })
        },
        postLogoutSuccessSource: (ctx) => {
          ctx.body = signedOutPage({ siteRoot })
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => api,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => {
          if (resource !== api) throw new errors.InvalidTarget()
          return {
            scope: everyScope,
            audience,
            accessTokenTTL: accessTokenSeconds,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256', kid: secrets.accessTokenKey.kid! } },
          }
        },
      },
    },
    findAccount: async (_ctx, sub) => {
      const account = await findAccount(store.reads, sub)
      if (account === undefined) return undefined
      const { name } = account
      return { accountId: sub, claims: () => ({ sub, name, preferred_username: name }) }
    },
    loadExistingGrant: async (ctx) => {
      const grant = await existingGrant(ctx, { api, scope: everyScope })
      if (grant !== undefined) await noteBrowser(store, ctx, grant.jti)
      return grant
    },
    // What ends a grant ends its access tokens (`revocations.ts`); the API shows people by their names.
    extraTokenClaims: async (_ctx, token) => {
      if (!('grantId' in token)) return {}
      const account = await findAccount(store.reads, token.accountId)
      return { sid: token.grantId, preferred_username: account?.name }
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    expiresWithSession: (ctx) => !isNative(ctx),
    ttl: {
      AccessToken: accessTokenSeconds,
      DeviceCode: deviceCodeLife,
      AuthorizationCode: lives.authorizationCode,
      Grant: lives.grant,
      IdToken: lives.idToken,
      Interaction: lives.interaction,
      Session: (_ctx, { accountId, loginTs }) => sessionLife(accountId, loginTs),
      RefreshToken: (ctx) =>
        ctx.oidc.entities.RotatedRefreshToken?.remainingTTL ?? lives.refreshToken,
    },
    interactions: { policy: signInPolicy(), url: (_ctx, { uid }) => `${realmPath}/sign-in/${uid}` },
    renderError: (ctx, out) => {
      if (askedByPrograms.includes(ctx.oidc?.route)) {
        ctx.body = out
        return
      }
      ctx.type = 'html'
      ctx.body = errorPage({ ...out, siteRoot })
    },
  }
  const provider = new Provider(issuer, configuration)
  // Addresses are built from the forwarded headers, which `provider-routes.ts` sets to the public URL.
  provider.proxy = true
  provider.on('server_error', (_ctx, error) => options.onError(error))
  // A listener of its own, or Koa would write to the console.
  ;(provider as EventEmitter).on('error', options.onError)
  provider.use(async (ctx, next) => {
    ctx.set('Content-Security-Policy', providerPolicy())
    takeUserCode(ctx)
    await next()
    await revokeStructuredToken(ctx, options.revokeAccessToken)
  })
  return provider
}

/**
 * When people are asked to sign in. Any program may pass for the command line, so a session in the
 * browser is not enough for it: somebody has to type the password (RFC 8252 §8.6).
 */
function signInPolicy(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base()
  // The clients are ours: no warning is due.
  policy.remove('consent')
  policy
    .get('login')!
    .checks.add(
      new interactionPolicy.Check(
        'native_client',
        'somebody has to sign in',
        'login_required',
        (ctx) => isNative(ctx) && ctx.oidc.result?.login === undefined,
      ),
    )
  return policy
}

/** `oidc` is there once a route of the provider was found. */
type MatchedOrNot = Omit<KoaContextWithOIDC, 'oidc'> & { oidc?: KoaContextWithOIDC['oidc'] }

/**
 * `oidc-provider` refuses to revoke tokens that are JWTs. Clients that revoke both of theirs at
 * sign-out, as `oidc-client-ts` does, would stop at that refusal with the other one still good.
 */
async function revokeStructuredToken(
  ctx: MatchedOrNot,
  revokeAccessToken: ProviderOptions['revokeAccessToken'],
): Promise<void> {
  const refused = (ctx.body as { error?: unknown } | undefined)?.error === 'unsupported_token_type'
  const token = ctx.oidc?.params?.['token']
  const clientId = ctx.oidc?.client?.clientId
  if (ctx.oidc?.route !== 'revocation' || !refused || clientId === undefined) return
  if (typeof token !== 'string') return
  await revokeAccessToken(token, clientId)
  ctx.status = 200
  ctx.body = ''
  ctx.remove('content-type')
}
