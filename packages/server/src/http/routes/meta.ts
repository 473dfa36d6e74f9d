import { errors, type RuntimeConfig } from '@vitrine/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Health } from '../../health/watch-health.ts'
import type { Metrics } from '../metrics.ts'
import { refuseOtherMethods } from '../route.ts'

export type Meta = {
  /** What the web app is told at its start. */
  runtimeConfig: RuntimeConfig
  metrics: Metrics
  health: Health
  /** Whether tokens can be verified. */
  canVerify: () => boolean
}

/** What is said of the server itself, to whoever asks. */
export function bindMeta(
  app: FastifyInstance,
  { runtimeConfig, metrics, health, canVerify }: Meta,
): void {
  const bind = (
    url: string,
    answer: (reply: FastifyReply) => unknown,
    contentType = 'application/json',
  ) => {
    const handler = async (_request: FastifyRequest, reply: FastifyReply) => {
      reply.header('content-type', contentType)
      return answer(reply)
    }
    app.route({ method: ['GET', 'HEAD'], url, handler })
    refuseOtherMethods(app, url, ['GET', 'HEAD'])
  }
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })
  bind('/config.json', () => runtimeConfig)
  bind('/healthz', () => ({ status: 'ok' }))
  bind('/readyz', async (reply) => {
    const parts = await health.report()
    const isStored = parts.database === 'up' && parts.blobs === 'up'
    // Without the provider nobody can sign in, and whoever has is served as before, by keys that are known.
    if (isStored && canVerify()) return { status: 'ready', ...parts }
    const code = isStored ? 'PROVIDER_UNAVAILABLE' : 'STORAGE_UNAVAILABLE'
    const { status, message } = errors[code]
    reply.code(status).header('retry-after', '1')
    return { code, message, status: 'not ready', ...parts }
  })
  bind('/metrics', () => metrics.registry.metrics(), metrics.registry.contentType)
}
