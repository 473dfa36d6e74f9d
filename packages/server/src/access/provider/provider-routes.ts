import type { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { Provider } from 'oidc-provider'
import { fail } from '../../failure.ts'
import type { Store } from '../../store/store.ts'
import type { Authenticate } from '../identity.ts'
import { clientAddress } from '../../auth/local/client-address.ts'
import type { KnownBrowsers } from './known-browser.ts'
import { OpenSignIns } from './open-sign-ins.ts'
import { errorPage } from './pages/error-page.ts'
import { assetsPath, providerPolicy } from './pages/page.ts'
import { realmPath } from './realm.ts'
import { signInRoutes, waitOf } from '../../auth/local/sign-in-routes.ts'
import { sweepProviderState } from '../../auth/local/sweep.ts'
import { userInfoRoute } from './user-info-route.ts'

const font = import.meta
  .resolve('@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2')

const assets = Object.entries({
  'provider.css': { type: 'text/css; charset=utf-8', at: './assets/provider.css' },
  'sign-out.js': { type: 'text/javascript; charset=utf-8', at: '../../auth/local/assets/sign-out.js' },
  'logo.svg': { type: 'image/svg+xml', at: './assets/logo.svg' },
  'instrument-sans.woff2': { type: 'font/woff2', at: font },
}).map(([name, { type, at }]) => ({
  name,
  type,
  bytes: readFileSync(new URL(at, import.meta.url)),
}))

/** Where a request without any account makes the provider keep something for a while. */
const keptPaths = new Set(['/auth', '/device', '/device/auth'])

/** Everything below `/realms/local`: what the provider answers itself, and what we answer for it. */
export function providerRoutes({
  provider,
  store,
  publicUrl,
  cliClientId,
  authenticate,
  browsers,
}: {
  provider: Provider
  store: Store
  publicUrl: string
  cliClientId: string
  authenticate: Authenticate
  browsers: KnownBrowsers
}): FastifyPluginAsync {
  const openSignIns = new OpenSignIns()
  return async (app) => {
    sweepProviderState(app, store)
    provider.on('server_error', (_ctx, error) => app.log.error({ err: error }, 'sign-in failed'))
    // A listener of its own, or Koa would write to the console.
    ;(provider as EventEmitter).on('error', (error: Error) =>
      app.log.error({ err: error }, 'sign-in failed'),
    )

    for (const { name, type, bytes } of assets) {
      app.get(`${assetsPath}/${name}`, async (_request, reply) =>
        reply.headers({ 'content-type': type, 'cache-control': 'max-age=300' }).send(bytes),
      )
    }
    await app.register(
      signInRoutes({ provider, store, publicUrl, cliClientId, browsers, openSignIns }),
    )
    userInfoRoute(app, { store, authenticate })

    await app.register(async (rest) => {
      const answer = provider.callback()
      rest.removeAllContentTypeParsers()
      rest.addContentTypeParser('*', (_request, _payload, done) => done(null))
      rest.route({
        method: ['GET', 'POST', 'OPTIONS'],
        url: `${realmPath}/*`,
        handler: (request, reply) => {
          const { raw } = request
          // The route matches spellings such as %72ealms too; the provider would not.
          if (!raw.url?.startsWith(`${realmPath}/`)) throw fail('ROUTE_NOT_FOUND')
          if (keptPaths.has(raw.url.slice(realmPath.length).split('?')[0]!)) {
            const address = clientAddress(raw, publicUrl)
            const wait = openSignIns.begin(address)
            if (wait > 0) return refuseToBegin(reply, wait)
            // Who is signed in goes through at once.
            reply.raw.once('finish', () => {
              const location = String(reply.raw.getHeader('location') ?? '')
              if (location.startsWith(`${publicUrl}/?`)) openSignIns.end(address)
            })
          }
          for (const [name, value] of Object.entries(reply.getHeaders())) {
            if (value !== undefined) reply.raw.setHeader(name, value)
          }
          reply.hijack()
          handOver(raw, reply.raw)
        },
      })

      function handOver(raw: IncomingMessage & { originalUrl?: string }, response: ServerResponse) {
        raw.originalUrl = raw.url!
        raw.url = raw.url!.slice(realmPath.length)
        // The provider builds addresses from these. Whatever a client or a proxy says, ours are known.
        const { host, protocol } = new URL(publicUrl)
        raw.headers.host = host
        raw.headers['x-forwarded-proto'] = protocol.replace(':', '')
        delete raw.headers['x-forwarded-host']
        void answer(raw, response)
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
