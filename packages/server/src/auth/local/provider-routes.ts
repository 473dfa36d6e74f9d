import type { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyPluginAsync } from 'fastify'
import type { Provider } from 'oidc-provider'
import { fail } from '../../failure.ts'
import type { Store } from '../../store/store.ts'
import type { Authenticate } from '../identity.ts'
import { assetsPath } from './pages/page.ts'
import { realmPath } from './realm.ts'
import { signInRoutes } from './sign-in-routes.ts'
import { sweepProviderState } from './sweep.ts'
import { userInfoRoute } from './user-info-route.ts'

const font = import.meta
  .resolve('@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2')

const assets = Object.entries({
  'provider.css': { type: 'text/css; charset=utf-8', at: './assets/provider.css' },
  'sign-out.js': { type: 'text/javascript; charset=utf-8', at: './assets/sign-out.js' },
  'logo.svg': { type: 'image/svg+xml', at: './assets/logo.svg' },
  'instrument-sans.woff2': { type: 'font/woff2', at: font },
}).map(([name, { type, at }]) => ({
  name,
  type,
  bytes: readFileSync(new URL(at, import.meta.url)),
}))

/** Everything below `/realms/local`: what the provider answers itself, and what we answer for it. */
export function providerRoutes({
  provider,
  store,
  publicUrl,
  cliClientId,
  authenticate,
}: {
  provider: Provider
  store: Store
  publicUrl: string
  cliClientId: string
  authenticate: Authenticate
}): FastifyPluginAsync {
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
    await app.register(signInRoutes({ provider, store, publicUrl, cliClientId }))
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
}
