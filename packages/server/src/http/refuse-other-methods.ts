import findMyWay from 'find-my-way'
import type { FastifyInstance } from 'fastify'
import { fail } from '../failure.ts'

/**
 * Longest parameter of the router: 128 characters of a name, each at most 4 bytes of UTF-8, each byte 3 characters of
 * an address.
 */
export const paramLengthMax = 128 * 4 * 3

/**
 * Refuses methods that an address has not (RFC 9110 §15.5.6), which the reply names, before any body is
 * read. One tree of addresses is asked: routes to refuse each method at each address, over a thousand,
 * took a quarter of the time that a server starts in. Every request of the instance is to have a route.
 */
export function refuseOtherMethods(
  app: FastifyInstance,
  methodsByUrl: ReadonlyMap<string, readonly string[]>,
): void {
  // Its method is any, as the addresses are kept once for all.
  const addresses = findMyWay({ maxParamLength: paramLengthMax })
  for (const [url, allowed] of methodsByUrl) {
    addresses.on('GET', `${app.prefix}${url}`, () => undefined, allowed)
  }
  app.addHook('onRequest', async (request, reply) => {
    const found = addresses.find('GET', request.raw.url ?? '')
    const allowed = found?.store as readonly string[] | undefined
    if (allowed === undefined || allowed.includes(request.method)) return
    reply.header('allow', allowed.join(', '))
    throw fail('METHOD_NOT_ALLOWED')
  })
}
