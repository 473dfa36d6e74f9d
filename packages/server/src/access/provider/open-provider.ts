import { decodeJwt } from 'jose'
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { Store } from '../../store/store.ts'
import { createBearer } from '../bearer.ts'
import type { Authenticate } from '../identity.ts'
import { type SigningKeys, localKeys } from '../signing-keys.ts'
import { cliClientIdOf, localIssuer } from './clients.ts'
import { knownBrowsers } from './known-browser.ts'
import { providerRoutes } from './provider-routes.ts'
import { type ProviderSecrets, providerSecrets, publicKey } from './provider-secrets.ts'
import { createRevocations } from './revocations.ts'

export type LocalProvider = {
  issuer: string
  /** The client that the command line is. */
  cliClientId: string
  /** Checks the tokens that it issues, without asking itself for its keys over HTTP. */
  authenticate: Authenticate
  /** Everything below `/realms/local`. */
  routes: FastifyPluginAsync
}

/** The built-in OpenID provider (docs/decisions/sign-in.md), its accounts and state in the store. */
export async function openLocalProvider(options: {
  store: Store
  logger: FastifyBaseLogger
  publicUrl: string
  clientId: string
  /** The audience of its access tokens; `<publicUrl>/api` if there is no other. */
  audience: string | undefined
  scope: string
  accessTokenSeconds: number
  /** Whether the account page leads to personal access tokens. */
  takesTokens: boolean
}): Promise<LocalProvider> {
  const { store, logger, publicUrl, clientId } = options
  const issuer = localIssuer(publicUrl)
  const audience = localAudience(options)
  const cliClientId = cliClientIdOf(clientId)
  const secrets = await providerSecrets(store)
  const revocations = createRevocations(store)
  const authenticate = createBearer({
    issuer,
    audience,
    clientId,
    keys: keysOf(secrets),
    isRevoked: revocations.isRevoked,
  })
  const revokeAccessToken = async (token: string, client: string) => {
    // RFC 7009 §2.2: an invalid token needs no action and is no error.
    const genuine = await authenticate(`Bearer ${token}`).catch(() => undefined)
    if (genuine === undefined) return
    const claims = decodeJwt(token)
    // §2.1: nor about one that was issued to another client.
    if (claims['client_id'] === client) await revocations.revoke(claims)
  }
  const key = secrets.cookieKeys[0]!
  const onError = (error: Error) => logger.error({ err: error }, 'sign-in failed')
  const load = async () => {
    const { createProvider } = await import('./provider.ts')
    return createProvider(issuer, { ...options, audience, secrets, revokeAccessToken, onError })
  }
  let provider: Promise<Provider> | undefined
  const loadProvider = () =>
    (provider ??= load().catch((error: unknown) => {
      // The next request may find what this one did not, as a file that could not be opened.
      provider = undefined
      throw error
    }))
  return {
    issuer,
    cliClientId,
    authenticate,
    routes: providerRoutes({
      loadProvider,
      store,
      publicUrl,
      cliClientId,
      authenticate,
      browsers: knownBrowsers({ publicUrl, key }),
      takesTokens: options.takesTokens,
      key,
    }),
  }
}

/** The audience of the access tokens that the built-in provider issues. */
export function localAudience({
  audience,
  publicUrl,
}: {
  audience: string | undefined
  publicUrl: string
}): string {
  return audience ?? `${publicUrl}/api`
}

/** The keys by which its access tokens are verified. */
export function keysOf({ accessTokenKey }: ProviderSecrets): SigningKeys {
  return localKeys({ keys: [publicKey(accessTokenKey)] })
}
