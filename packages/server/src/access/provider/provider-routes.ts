import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify'
import type { Provider } from 'oidc-provider'
import { fail } from '../../failure.ts'
import type { Store } from '../../store/store.ts'
import type { Authenticate } from '../identity.ts'
import { accountRoutes } from './account-routes.ts'
import { throttledAddress, waitOf } from './sign-in-throttle.ts'
import type { KnownBrowsers } from './known-browser.ts'
import { OpenSignIns } from './open-sign-ins.ts'
import { assetsPath, errorPage, providerPolicy } from './pages/page.ts'
import { realmPath } from './clients.ts'
import { signInRoutes } from './sign-in-routes.ts'
import { deleteExpiredState } from '../../store/provider.ts'
import { deleteForgottenAttempts } from '../../store/sign-in-attempts.ts'
import { findAccount } from '../../store/accounts.ts'
import { authorizationHeader } from '../bearer.ts'

const sweepIntervalMs = 10 * 60_000

const font = import.meta
  .resolve('@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2')

const assets = [
  {
    name: 'provider.css',
    type: 'text/css; charset=utf-8',
    at: new URL('./assets/provider.css', import.meta.url),
  },
  {
    name: 'sign-out.js',
    type: 'text/javascript; charset=utf-8',
    at: new URL('./assets/sign-out.js', import.meta.url),
  },
  { name: 'logo.svg', type: 'image/svg+xml', at: new URL('./assets/logo.svg', import.meta.url) },
  { name: 'instrument-sans.woff2', type: 'font/woff2', at: new URL(font) },
].map(({ at, ...asset }) => ({ ...asset, bytes: readFileSync(at) }))

/** Paths whose requests make the provider store something for a while, without any account. */
const keptPaths = new Set(['/auth', '/device', '/device/auth'])

/** Everything below `/realms/local`: what the provider answers itself, and what we answer for it. */
export function providerRoutes({
  loadProvider,
  store,
  publicUrl,
  cliClientId,
  authenticate,
  browsers,
  takesTokens,
  key,
}: {
  /** Loads the library where a request needs it: it takes time to start and memory. */
  loadProvider: () => Promise<Provider>
  store: Store
  publicUrl: string
  cliClientId: string
  authenticate: Authenticate
  browsers: KnownBrowsers
  takesTokens: boolean
  /** Signs forms. */
  key: string
}): FastifyPluginAsync {
  const openSignIns = new OpenSignIns()
  return async (app) => {
    sweepProviderState(app, store)
    for (const { name, type, bytes } of assets) {
      app.get(`${assetsPath}/${name}`, async (_request, reply) =>
        reply.headers({ 'content-type': type, 'cache-control': 'max-age=300' }).send(bytes),
      )
    }
    await app.register(
      signInRoutes({ loadProvider, store, publicUrl, cliClientId, browsers, openSignIns, key }),
    )
    await app.register(
      accountRoutes({ loadProvider, store, publicUrl, cliClientId, browsers, takesTokens, key }),
    )
    userInfoRoute(app, { store, authenticate })

    await app.register(async (rest) => {
      rest.removeAllContentTypeParsers()
      rest.addContentTypeParser('*', (_request, _payload, done) => done(null))
      rest.route({
        method: ['GET', 'POST', 'OPTIONS'],
        url: `${realmPath}/*`,
        handler: async (request, reply) => {
          const { raw } = request
          // The route matches spellings such as %72ealms too; the provider would not.
          if (!raw.url?.startsWith(`${realmPath}/`)) throw fail('ROUTE_NOT_FOUND')
          const provider = await loadProvider()
          const begins = keptPaths.has(raw.url.slice(realmPath.length).split('?')[0]!)
          const address = throttledAddress(raw, publicUrl)
          const wait = begins ? openSignIns.begin(address) : 0
          if (wait > 0) return refuseToBegin(reply, wait)
          for (const [name, value] of Object.entries(reply.getHeaders())) {
            if (value !== undefined) reply.raw.setHeader(name, value)
          }
          reply.hijack()
          const answered = handOver(provider, raw, reply.raw)
          if (!begins) return
          // Also where the client is gone before it has its reply.
          void answered.finally(() => {
            const location = String(reply.raw.getHeader('location') ?? '')
            // Who is signed in goes through at once.
            if (location.startsWith(`${publicUrl}/?`)) openSignIns.end(address)
          })
        },
      })

      function handOver(
        provider: Provider,
        raw: IncomingMessage & { originalUrl?: string },
        response: ServerResponse,
      ) {
        raw.originalUrl = raw.url!
        raw.url = raw.url!.slice(realmPath.length)
        // The provider builds addresses from these. Whatever a client or a proxy says, ours are known.
        const { host, protocol } = new URL(publicUrl)
        raw.headers.host = host
        raw.headers['x-forwarded-proto'] = protocol.replace(':', '')
        delete raw.headers['x-forwarded-host']
        return provider.callback()(raw, response)
      }
    })
  }

  function refuseToBegin(reply: FastifyReply, waitSeconds: number) {
    return reply
      .code(429)
      .headers({
        'retry-after': waitSeconds,
        'cache-control': 'no-store',
        'content-security-policy': providerPolicy(),
      })
      .type('text/html; charset=utf-8')
      .send(
        errorPage({
          error: 'temporarily_unavailable',
          error_description: `too many sign-ins were begun from here; try again in ${waitOf(waitSeconds)}`,
          siteRoot: `${publicUrl}/`,
        }),
      )
  }
}

/** Removes, as long as the server runs, what has expired; nothing of it is valid any more. */
function sweepProviderState(app: FastifyInstance, store: Store): void {
  const sweep = () =>
    store
      .write(async (transaction) => {
        await deleteExpiredState(transaction)
        await deleteForgottenAttempts(transaction)
      })
      .catch((error: unknown) => app.log.error({ err: error }, 'sweeping sign-in state failed'))
  const timer = setInterval(() => void sweep(), sweepIntervalMs)
  app.addHook('onReady', sweep)
  app.addHook('onClose', async () => clearInterval(timer))
}

/** The userinfo endpoint (OpenID Connect Core 1.0 §5.3), by the access tokens of the API. */
function userInfoRoute(
  app: FastifyInstance,
  { store, authenticate }: { store: Store; authenticate: Authenticate },
): void {
  app.route({
    method: ['GET', 'POST'],
    url: `${realmPath}/me`,
    handler: async (request, reply) => {
      const { subject } = await authenticate(authorizationHeader(request.raw.rawHeaders))
      const account = await findAccount(store.reads, subject)
      if (account === undefined) throw fail('TOKEN_INVALID')
      const { name } = account
      return reply
        .header('cache-control', 'no-store')
        .send({ sub: subject, name, preferred_username: name })
    },
  })
}
