import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authorizationHeader } from '../access/authorization-header.ts'
import type { Authenticate, Identity } from '../access/identity.ts'
import { fail } from '../failure.ts'
import { sendFailure } from './errors.ts'

/**
 * Puts a lock on every route of an instance: whoever asks is known before any body is read, and before
 * it is told whether a route exists. The lock is on the routes, not on a reading of the address, so no
 * spelling of an address goes around it.
 */
export function protectApi(app: FastifyInstance, authenticate: Authenticate): void {
  app.decorateRequest('identity', null as unknown as Identity)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    request.identity = await authenticate(authorizationHeader(request.raw.rawHeaders))
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') throw fail('MEDIA_TYPE_UNSUPPORTED')
  })
  // Bodies are read by the calls themselves, each in its own way.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  for (const url of ['/', '/*']) refuseUnknown(app, url)
}

/** Refuses an address that no route can read; below `/api`, whoever asks is known before that, too. */
export async function refuseUnreadable(
  error: Error,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  authenticate: Authenticate,
): Promise<void> {
  try {
    if (request.url.startsWith('/api/')) {
      await authenticate(authorizationHeader(request.raw.rawHeaders))
    }
    sendFailure(error, request, reply)
  } catch (refusal) {
    sendFailure(refusal, request, reply)
  }
}

/** A route of its own, as the one of the app's pages would take what no other route does. */
function refuseUnknown(app: FastifyInstance, url: string): void {
  app.route({ method: app.supportedMethods, url, onRequest: refuse, handler: refuse })
}

async function refuse(): Promise<never> {
  throw fail('ROUTE_NOT_FOUND')
}
