import type { RuntimeConfig } from '@vitrine/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../http/metrics.ts'
import { refuseOtherMethods } from '../http/route.ts'

export type Meta = {
  /** What the web app is told at its start. */
  runtimeConfig: RuntimeConfig
  metrics: Metrics
  /** Resolves when a request could be answered. */
  checkReady: () => Promise<unknown>
}

/** What is said of the server itself, to whoever asks. */
export function bindMeta(app: FastifyInstance, { runtimeConfig, metrics, checkReady }: Meta): void {
  const bind = (url: string, answer: () => unknown, contentType = 'application/json') => {
    const handler = async (_request: FastifyRequest, reply: FastifyReply) => {
      reply.header('content-type', contentType)
      return answer()
    }
    app.route({ method: ['GET', 'HEAD'], url, handler })
    refuseOtherMethods(app, url, ['GET', 'HEAD'])
  }
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })
  bind('/config.json', () => runtimeConfig)
  bind('/healthz', () => ({ status: 'ok' }))
  bind('/readyz', async () => {
    await checkReady()
    return { status: 'ready' }
  })
  bind('/metrics', () => metrics.registry.metrics(), metrics.registry.contentType)
}
