import { METHODS, type Server } from 'node:http'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Authority } from './access/authority.ts'
import type { Config } from './config.ts'
import { DroppedData } from './datasets/dropped-data.ts'
import type { Health } from './health/watch-health.ts'
import { refuseMalformed, sendErrors } from './http/errors.ts'
import { closeLateAfterEarlyReplies } from './http/delayed-close.ts'
import { createMetrics, measureHealth } from './http/metrics.ts'
import { observeRequests } from './http/observe.ts'
import { servePages } from './http/pages.ts'
import { requestId } from './http/request-id.ts'
import { protectApi, refuseUnreadable } from './http/protect-api.ts'
import { bindCalls } from './http/route.ts'
import { addSecurityHeaders, pagePolicy } from './http/security-headers.ts'
import { shedLoad, type LoadBounds } from './http/shed-load.ts'
import type { ImportContext } from './imports/import-context.ts'
import { CheckThreads } from './imports/check-threads.ts'
import { Imports } from './imports/imports.ts'
import type { InsertContext } from './inserts/insert-context.ts'
import { damageHandlers } from './http/routes/damage.ts'
import { datasetHandlers } from './http/routes/datasets.ts'
import { exportHandlers } from './http/routes/exports.ts'
import { importHandlers } from './http/routes/imports.ts'
import { insertHandlers } from './http/routes/inserts.ts'
import { itemHandlers } from './http/routes/items.ts'
import { labelHandlers } from './http/routes/labels.ts'
import { bindMeta } from './http/routes/meta.ts'
import { pictureHandlers } from './http/routes/pictures.ts'
import { bindReference } from './http/routes/reference.ts'
import { repoHandlers } from './http/routes/repos.ts'
import { valueHandlers } from './http/routes/values.ts'
import { viewHandlers } from './http/routes/views.ts'
import type { SmallPictures } from './pictures/small-pictures.ts'
import { countItems } from './store/datasets.ts'
import type { Store } from './store/store.ts'
import type { DatasetReader } from './reading/dataset-reader.ts'

export type AppParts = {
  config: Config
  /** Where people reach this server, without a slash at the end. */
  publicUrl: string
  version: string
  authority: Authority
  health: Health
  store: Store
  datasets: DatasetReader
  insertContext: InsertContext
  /** Undefined where no small pictures can be made on this machine. */
  pictures: SmallPictures | undefined
  /** The built web app. */
  webDir: string
  loadBounds: LoadBounds
  /** How long a whole JSON body may take. */
  jsonBodyMs: number
  server: Server
  logger: FastifyBaseLogger
}

/** Wires the rooms together: one Fastify instance that answers requests of `server`. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, publicUrl, authority, health, store, logger } = parts
  const app: FastifyInstance = Fastify({
    // A machine with much to do takes its time to load what a route needs.
    pluginTimeout: 120_000,
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    exposeHeadRoutes: false,
    // 128 characters of a name, each at most 4 bytes of UTF-8, each byte 3 characters of an address.
    routerOptions: { maxParamLength: 128 * 4 * 3 },
    frameworkErrors: (error, request, reply) =>
      void refuseUnreadable(error, { request, reply }, authority.authenticate),
    clientErrorHandler: refuseMalformed,
    // The server listens already; it hands its requests over once all is ready.
    serverFactory: () => parts.server,
  })
  // Every method that Node takes has a route to refuse it, CONNECT aside, which Node itself refuses.
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method)
  }
  const metrics = createMetrics(async () => {
    const { database } = await health.report()
    return database === 'up' ? countItems(store.reads) : undefined
  }, parts.insertContext.blobs.health)
  measureHealth(metrics.registry, health)
  const droppedData = new DroppedData(store, {
    onError: (error) => logger.error({ err: error }, 'what was deleted is still kept'),
  })
  parts.datasets.onDropped(() => droppedData.wake())
  app.addHook('onReady', async () => droppedData.wake())
  app.addHook('onClose', () => droppedData.stop())

  const { blobs, maxUploadBytes: maxBytes } = parts.insertContext
  const threads = new CheckThreads()
  const importContext: ImportContext = { store, blobs, datasets: parts.datasets, threads, maxBytes }
  const imports = new Imports(importContext, {
    onError: (error) => logger.error({ err: error }, 'an import failed'),
  })
  app.addHook('onReady', () => imports.resume())
  app.addHook('onClose', () => imports.stop())

  observeRequests(app, metrics)
  addSecurityHeaders(app, publicUrl)
  sendErrors(app)
  await app.register(async (api) => bindApi(api, parts, { droppedData, importContext, imports }), {
    prefix: '/api',
  })
  await app.register(async (open) => {
    await bindReference(open, { url: publicUrl, version: parts.version })
  })
  await app.register(async (open) => {
    const { clientId, scope } = config.oidc
    bindMeta(open, {
      runtimeConfig: {
        apiBaseUrl: publicUrl,
        authority: authority.issuer,
        clientId,
        cliClientId: authority.cliClientId,
        scope,
        maxUploadBytes: config.maxUploadBytes,
        features: [
          'preview',
          'explore',
          'partial',
          'import',
          'export',
          'guarded-delete',
          'damage',
          'types',
          'extend',
          'search',
          'labels',
          'summary',
          'q',
          'export-explored',
          'growth',
          'neighbours',
          'media',
          ...(parts.pictures === undefined ? [] : ['small-pictures']),
          ...authority.features,
        ],
      },
      metrics,
      health,
      canVerify: authority.canVerify,
    })
  })
  if (authority.routes !== undefined) await app.register(authority.routes)
  const policy = pagePolicy({ authority: authority.issuer, apiUrl: publicUrl })
  await servePages(app, { webDir: parts.webDir, publicUrl, policy })
  return app
}

function bindApi(
  api: FastifyInstance,
  {
    authority,
    publicUrl,
    store,
    datasets,
    insertContext,
    pictures,
    loadBounds,
    jsonBodyMs,
    logger,
  }: AppParts,
  {
    droppedData,
    importContext,
    imports,
  }: { droppedData: DroppedData; importContext: ImportContext; imports: Imports },
): void {
  shedLoad(api, loadBounds)
  protectApi(api, authority.authenticate)
  closeLateAfterEarlyReplies(api)
  const handlers = {
    ...damageHandlers(store),
    ...datasetHandlers(store, datasets),
    ...repoHandlers(store, droppedData),
    ...viewHandlers(store, { datasets, droppedData }),
    ...itemHandlers(datasets),
    ...labelHandlers(store, datasets),
    ...valueHandlers({ store, blobs: insertContext.blobs, datasets }),
    ...pictureHandlers({ store, blobs: insertContext.blobs, datasets, pictures }),
    ...insertHandlers(insertContext, datasets),
    ...importHandlers(importContext, imports),
    ...exportHandlers({ store, blobs: insertContext.blobs, datasets, logger, apiUrl: publicUrl }),
  }
  bindCalls(api, handlers, { jsonBodyMs })
}
