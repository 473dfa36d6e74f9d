import type { FastifyReply } from 'fastify'

/** Aborted when the connection closes, after which nobody waits for the reply. */
export function whenGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return gone.signal
}
