import type { FastifyReply } from 'fastify'

/** Returns a signal that is aborted when the connection closes. */
export function whenGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return gone.signal
}
