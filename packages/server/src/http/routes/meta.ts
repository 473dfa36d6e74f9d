import { type Feature, type RuntimeConfig, errors, features } from '@vitrine/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { Health } from '../../upkeep/health/watch-health.ts'
import type { Metrics } from '../metrics.ts'
import { type Handlers, refuseOtherMethods } from '../route.ts'
import { listDamagePage } from '../../store/damage.ts'
import type { Store } from '../../store/store.ts'

export type Meta = {
  /** The configuration that the web app fetches when it starts. */
  runtimeConfig: Promise<RuntimeConfig>
  metrics: Metrics
  health: Health
  /** Whether tokens can be verified. */
  canVerify: () => boolean
}

/** Headers that a proxy has to pass on, or may add: `vitrine doctor` asks which of them arrive. */
const proxiedHeaders = [
  'authorization',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]

/** Public facts about the server: configuration, health, metrics; and what anybody may ask it without a token. */
export function bindMeta(
  app: FastifyInstance,
  { runtimeConfig, metrics, health, canVerify }: Meta,
): void {
  const methodsByUrl = new Map<string, string[]>()
  const bind = (
    url: string,
    answer: (reply: FastifyReply, request: FastifyRequest) => unknown,
    { contentType = 'application/json', methods = ['GET', 'HEAD'] } = {},
  ) => {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('content-type', contentType)
      return answer(reply, request)
    }
    app.route({ method: app.supportedMethods, url, handler })
    methodsByUrl.set(url, methods)
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
  // Names only: what they say is known to whoever sent them, and to the proxies between.
  bind('/proxyz', (_reply, { headers }) => ({
    headers: proxiedHeaders.filter((name) => headers[name] !== undefined),
  }))
  bind('/metrics', () => metrics.registry.metrics(), {
    contentType: metrics.registry.contentType,
  })
  // For the web app at a sign-out: values and small pictures stay in a browser's cache until then.
  bind(
    '/clear-cache',
    (reply) =>
      reply.code(204).header('clear-site-data', '"cache"').removeHeader('content-type').send(),
    { methods: ['POST'] },
  )
  refuseOtherMethods(app, methodsByUrl)
}

/** Lists what the server offers: all that there is, but what its configuration or its provider leaves out. */
export function offeredFeatures(
  config: Pick<
    Config,
    'takesTokens' | 'takesLinks' | 'deletedDays' | 'maxSnapshotBytes' | 'everyone'
  >,
  { hasPictures, hasAccounts }: { hasPictures: boolean; hasAccounts: boolean },
): Feature[] {
  const conditions: Partial<Record<Feature, boolean>> = {
    tokens: config.takesTokens,
    links: config.takesLinks,
    deleted: config.deletedDays > 0,
    snapshots: config.maxSnapshotBytes > 0,
    'small-pictures': hasPictures,
    roles: config.everyone !== 'owner',
    account: hasAccounts,
  }
  return features.filter((feature) => conditions[feature] ?? true)
}

export function damageHandlers({ reads }: Store): Pick<Handlers, 'damageList'> {
  return {
    damageList: async ({ query, visibility }) => {
      const damage = await listDamagePage(reads, query, visibility)
      return damage.map(({ firstSeenAt, lastSeenAt, ...fault }) => ({
        ...fault,
        firstSeenAt: new Date(firstSeenAt).toISOString(),
        lastSeenAt: new Date(lastSeenAt).toISOString(),
      }))
    },
  }
}
