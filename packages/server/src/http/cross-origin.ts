import { api, type Call } from '@vitrine/contract'
import type { FastifyInstance } from 'fastify'

/** Headers of replies that a page may read beside those that every page may. */
const exposed = [
  'accept-ranges',
  'content-length',
  'content-range',
  'etag',
  'retry-after',
  'vitrine-state',
].join(', ')

/** Headers that a page may send: those by which parts of a file are read. */
const sendable = 'range, if-range, if-none-match'

/** Seconds for which a browser may remember what a page may send. */
const rememberedSeconds = 86_400

/**
 * Lets pages of other sites read what they have a signed link for, as DuckDB-WASM in a notebook does, and nothing else
 * (https://fetch.spec.whatwg.org/#http-cors-protocol). Any site may: whoever has the link reads by any other program as
 * well. It is to come before the hooks that ask for a token, as a browser asks without one what it may send.
 */
export function allowReadsByLink(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { call } = request.routeOptions.config
    const definition: Call | undefined = call && api[call]
    const { link } = request.query as Record<string, unknown>
    if (link === undefined || definition?.takesLink !== true) return done()
    reply.header('access-control-allow-origin', '*')
    if (request.method !== 'OPTIONS') {
      reply.header('access-control-expose-headers', exposed)
      return done()
    }
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers': sendable,
        'access-control-max-age': rememberedSeconds,
      })
      .send()
  })
}
