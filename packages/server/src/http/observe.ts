import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Metrics } from './metrics.ts'

/**
 * Measures and logs every request once it is over, one line each. The query is left out, as it may hold
 * the code of a sign-in; headers are, as they hold tokens.
 */
export function observeRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onRequest', (request, reply, done) => {
    const began = performance.now()
    // Not `onResponse`, which does not come when the client is gone before the reply.
    reply.raw.once('close', () => {
      const seconds = (performance.now() - began) / 1000
      const status = reply.raw.statusCode
      metrics.observe({ call: request.routeOptions.config.call ?? 'other', status, seconds })
      const [path] = request.originalUrl.split('?', 1)
      const cut = !reply.raw.writableFinished
      request.log.info(
        {
          method: request.method,
          path,
          status,
          // Null where nobody was asked who they are, or had not said so yet.
          ...(request.identity && { subject: request.identity.subject }),
          milliseconds: Math.round(seconds * 1e6) / 1000,
          ...(cut && { cut }),
        },
        'request',
      )
    })
    done()
  })
}

/** Request ids as proxies and tracers make them: UUIDs, hexadecimal, base64. */
const form = /^[\w.~+/=:@-]{1,128}$/

/** The id of a request in the log and in its reply: what its `x-request-id` says, or else a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const header = headers['x-request-id']
  return typeof header === 'string' && form.test(header) ? header : randomUUID()
}
