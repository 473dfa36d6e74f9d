import type { FastifyInstance } from 'fastify'

/** How long a client may go on sending after its request was answered. */
const lingerMs = 5000

/**
 * Takes in and drops what a client still sends after a reply that came early, for a while. Closing at
 * once would reset the connection, and the client might never read the reply (RFC 9112 §9.6).
 */
export function closeLateAfterEarlyReplies(app: FastifyInstance): void {
  app.addHook('onResponse', ({ raw: request }, _reply, done) => {
    if (!request.complete) {
      request.resume()
      const timer = setTimeout(() => request.destroy(), lingerMs)
      request.once('close', () => clearTimeout(timer))
    }
    done()
  })
}
