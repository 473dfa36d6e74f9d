import { randomUUID } from 'node:crypto'
import { METHODS, type Server } from 'node:http'
import { sql } from 'kysely'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
} from 'fastify'
import type { Authenticate } from './auth/identity.ts'
import type { Config } from './config.ts'
import { DroppedData } from './datasets/dropped-data.ts'
import { refuseMalformed, sendErrors, sendFailure } from './http/errors.ts'
import { lingerAfterEarlyReplies } from './http/linger.ts'
import { createMetrics } from './http/metrics.ts'
import { observeRequests } from './http/observe.ts'
import { servePages } from './http/pages.ts'
import { protectApi } from './http/protect-api.ts'
import { bindCalls } from './http/route.ts'
import { addSecurityHeaders, pagePolicy } from './http/security-headers.ts'
import { shedLoad, type LoadBounds } from './http/shed-load.ts'
import type { Inserting } from './items/inserting.ts'
import { datasetHandlers } from './routes/datasets.ts'
import { insertHandlers } from './routes/inserts.ts'
import { itemHandlers } from './routes/items.ts'
import { bindMeta } from './routes/meta.ts'
import { bindReference } from './routes/reference.ts'
import { repoHandlers } from './routes/repos.ts'
import { valueHandlers } from './routes/values.ts'
import { viewHandlers } from './routes/views.ts'
import { countItems } from './store/datasets.ts'
import type { Store } from './store/store.ts'
import type { Datasets } from './views/datasets.ts'

export type AppParts = {
  config: Config
  /** Where people reach this server, without a slash at the end. */
  publicUrl: string
  version: string
  /** The issuer of the tokens that are accepted. */
  authority: string
  store: Store
  datasets: Datasets
  inserting: Inserting
  authenticate: Authenticate
  /** The built-in provider, where it is the authority: its routes below `/realms/local`. */
  provider?: FastifyPluginAsync | undefined
  /** The built web app. */
  webDir: string
  loadBounds: LoadBounds
  server: Server
  logger: FastifyBaseLogger
}

/** Wires the rooms together: one Fastify instance that answers requests of `server`. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, publicUrl, authority, store, logger } = parts
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    // 128 characters of a name, each at most 4 bytes of UTF-8, each byte 3 characters of an address.
    routerOptions: { maxParamLength: 128 * 4 * 3 },
    frameworkErrors: (error, request, reply) => sendFailure(error, request, reply),
    clientErrorHandler: refuseMalformed,
    // The server listens already; it hands its requests over once all is ready.
    serverFactory: () => parts.server,
  })
  // Every method that Node takes has a route to refuse it, CONNECT aside, which Node itself refuses.
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method)
  }
  const metrics = createMetrics(() => countItems(store.reads))
  const droppedData = new DroppedData(store, {
    onError: (error) => logger.error({ err: error }, 'what was deleted is still kept'),
  })
  parts.datasets.onDropped(() => droppedData.wake())
  app.addHook('onReady', async () => droppedData.wake())
  app.addHook('onClose', () => droppedData.stop())

  observeRequests(app, metrics)
  addSecurityHeaders(app, publicUrl)
  sendErrors(app)
  await app.register(async (api) => bindApi(api, parts, droppedData), { prefix: '/api' })
  await app.register(async (open) => {
    await bindReference(open, { url: publicUrl, version: parts.version })
  })
  await app.register(async (open) => {
    const { clientId, scope } = config.oidc
    bindMeta(open, {
      runtimeConfig: {
        apiBaseUrl: publicUrl,
        authority,
        clientId,
        scope,
        maxUploadBytes: config.maxUploadBytes,
        features: ['preview'],
      },
      metrics,
      checkReady: () => sql`select 1`.execute(store.reads),
    })
  })
  if (parts.provider !== undefined) await app.register(parts.provider)
  const policy = pagePolicy({ authority, apiUrl: publicUrl })
  await servePages(app, { webDir: parts.webDir, publicUrl, policy })
  return app
}

function bindApi(
  api: FastifyInstance,
  { authenticate, store, datasets, inserting, loadBounds }: AppParts,
  droppedData: DroppedData,
): void {
  shedLoad(api, loadBounds)
  protectApi(api, authenticate)
  lingerAfterEarlyReplies(api)
  bindCalls(api, {
    ...datasetHandlers(store),
    ...repoHandlers(store, droppedData),
    ...viewHandlers(store, { datasets, droppedData }),
    ...itemHandlers(datasets),
    ...valueHandlers(datasets, inserting.blobs),
    ...insertHandlers(inserting, datasets),
  })
}
