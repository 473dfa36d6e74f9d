import { type Server, METHODS } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { type Administrators, administrators } from './access/administrators.ts'
import type { Authority } from './access/authority.ts'
import { type CallAccess, createCallAccess } from './access/call-access.ts'
import { clientAddress } from './access/provider/sign-in-throttle.ts'
import { createPersonNotes, findIdentity } from './access/person-notes.ts'
import { Roles } from './access/roles.ts'
import { createTokenCheck } from './access/personal-token.ts'
import { createUseNotes } from './access/token-use.ts'
import type { Config } from './config.ts'
import { DroppedData } from './datasets/dropped-data.ts'
import type { SnapshotFiles } from './exports/snapshot-files.ts'
import type { Health } from './upkeep/health/watch-health.ts'
import { allowReadsByLink } from './http/cross-origin.ts'
import { refuseMalformed, sendErrors } from './http/errors.ts'
import { closeLateAfterEarlyReplies, protectApi, refuseUnreadable } from './http/protect-api.ts'
import { createMetrics, measureHealth } from './http/metrics.ts'
import { observeRequests, requestId } from './http/observe.ts'
import { bindCalls, paramLengthMax } from './http/route.ts'
import { servePages } from './http/pages.ts'
import { serveReference } from './http/reference.ts'
import { addSecurityHeaders, pagePolicy } from './http/security-headers.ts'
import { type LoadBounds, shedLoad } from './http/shed-load.ts'
import type { ImportContext } from './imports/import-context.ts'
import { openCheckPool } from './imports/check-pool.ts'
import { Imports } from './imports/imports.ts'
import type { InsertContext } from './inserts/insert-context.ts'
import { auditHandlers } from './http/routes/audit.ts'
import { bindMeta, damageHandlers, offeredFeatures } from './http/routes/meta.ts'
import { deletedHandlers } from './http/routes/deleted.ts'
import {
  datasetHandlers,
  labelHandlers,
  repoHandlers,
  viewHandlers,
} from './http/routes/datasets.ts'
import { exportHandlers, pictureHandlers, valueHandlers } from './http/routes/content.ts'
import { grantHandlers } from './http/routes/grants.ts'
import { importHandlers } from './http/routes/imports.ts'
import { correctionHandlers } from './http/routes/corrections.ts'
import { insertHandlers } from './http/routes/inserts.ts'
import { itemHandlers } from './http/routes/items.ts'
import { linkHandlers } from './http/routes/links.ts'
import { auditLogHandlers, logHandlers } from './http/routes/logs.ts'
import { provenanceHandlers } from './http/routes/provenance.ts'
import { snapshotHandlers } from './http/routes/snapshots.ts'
import { tokenHandlers } from './http/routes/tokens.ts'
import type { CheckpointSigner } from './log/checkpoint-signer.ts'
import type { Logs } from './log/logs.ts'
import type { SmallPictures } from './pictures/small-pictures.ts'
import { countItems } from './store/datasets.ts'
import type { PeopleSource } from './store/people.ts'
import type { Store } from './store/store.ts'
import type { DatasetReader } from './reading/dataset-reader.ts'

export type AppParts = {
  config: Config
  /** Public URL of this server, without a slash at the end. */
  publicUrl: string
  version: string
  authority: Authority
  health: Health
  store: Store
  datasets: DatasetReader
  insertContext: InsertContext
  snapshots: SnapshotFiles
  logs: Logs
  signer: CheckpointSigner
  /** Resolves to undefined where no small pictures can be made on this machine. */
  pictures: Promise<SmallPictures | undefined>
  /** The built web app. */
  webDir: string
  loadBounds: LoadBounds
  /** How long a whole JSON body may take. */
  jsonBodyMs: number
  /** How long what was deleted is still there for who reads it. */
  dropGraceMs: number
  server: Server
  logger: FastifyBaseLogger
}

const dayMs = 24 * 60 * 60_000

/** Wires the rooms together: one Fastify instance that answers requests of `server`. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, publicUrl, authority, health, store, logger } = parts
  const { issuer, isBuiltIn, authenticate } = authority
  const tokenOptions = {
    issuer,
    isBuiltIn,
    readsGroups: config.oidc.groupsClaim !== undefined,
    onUsed: createUseNotes(store, (error) =>
      logger.error({ err: error }, 'the use of a token could not be noted'),
    ),
  }
  const { takesTokens, takesLinks } = config
  const access = createCallAccess({
    authenticate,
    checkToken: createTokenCheck(store, { ...tokenOptions, isEnabled: takesTokens }),
    checkLink: createTokenCheck(store, { ...tokenOptions, isEnabled: takesLinks }, 'link'),
  })
  const app: FastifyInstance = Fastify({
    // A machine with much to do takes its time to load what a route needs.
    pluginTimeout: 120_000,
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    childLoggerFactory: (parent, bindings, options, request) => {
      const address = config.logsAddresses && clientAddress(request, publicUrl)
      return parent.child({ ...bindings, ...(address !== false && { address }) }, options)
    },
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: paramLengthMax },
    frameworkErrors: (error, request, reply) =>
      void refuseUnreadable(error, { request, reply }, access),
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
    graceMs: parts.dropGraceMs,
    onError: (error) => logger.error({ err: error }, 'what was deleted is still kept'),
  })
  parts.datasets.onDropped(() => droppedData.wake())
  app.addHook('onReady', async () => droppedData.wake())
  app.addHook('onClose', () => droppedData.stop())

  const { blobs, itemIds, maxUploadBytes: maxBytes } = parts.insertContext
  const { datasets } = parts
  const checkPool = openCheckPool()
  const people: PeopleSource = {
    issuer: authority.issuer,
    isBuiltIn: authority.isBuiltIn,
    readsGroups: config.oidc.groupsClaim !== undefined,
  }
  const admins = administrators(config)
  const roles = new Roles(store, { ...config, administrators: admins })
  const importContext: ImportContext = {
    store,
    blobs,
    datasets,
    itemIds,
    checkPool,
    maxBytes,
    visibilityOf: async ({ created_by, token_datasets }) =>
      roles.visibilityOf({
        ...(await findIdentity(store.reads, created_by, people)),
        ...(token_datasets !== null && { datasets: JSON.parse(token_datasets) as number[] }),
      }),
  }

  const { logs } = parts
  app.addHook('onReady', async () => logs.wake())
  const imports = new Imports(importContext, {
    onError: (error) => logger.error({ err: error }, 'an import failed'),
    onEnded: () => logs.wake(),
  })
  app.addHook('onReady', () => imports.resume())
  app.addHook('onClose', () => imports.stop())

  observeRequests(app, metrics)
  addSecurityHeaders(app, publicUrl)
  sendErrors(app)
  await app.register(
    async (api) =>
      bindApi(api, parts, {
        access,
        admins,
        roles,
        people,
        droppedData,
        importContext,
        imports,
      }),
    {
      prefix: '/api',
    },
  )
  await app.register(async (open) => {
    await serveReference(open, { url: publicUrl, version: parts.version })
  })
  await app.register(async (open) => {
    const { clientId, scope } = config.oidc
    bindMeta(open, {
      runtimeConfig: parts.pictures.then((pictures) => ({
        apiBaseUrl: publicUrl,
        authority: authority.issuer,
        clientId,
        cliClientId: authority.cliClientId,
        scope,
        maxUploadBytes: config.maxUploadBytes,
        features: offeredFeatures(config, {
          hasPictures: pictures !== undefined,
          hasAccounts: authority.isBuiltIn,
        }),
      })),
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
    config,
    publicUrl,
    store,
    datasets,
    insertContext,
    snapshots,
    logs,
    signer,
    pictures,
    loadBounds,
    jsonBodyMs,
    logger,
  }: AppParts,
  {
    access,
    admins,
    roles,
    people,
    droppedData,
    importContext,
    imports,
  }: {
    access: CallAccess
    admins: Administrators
    roles: Roles
    people: PeopleSource
    droppedData: DroppedData
    importContext: ImportContext
    imports: Imports
  },
): void {
  shedLoad(api, loadBounds)
  // Accounts of the built-in provider are known.
  const notesPeople = roles.areOn && !people.isBuiltIn
  if (config.takesLinks) allowReadsByLink(api)
  protectApi(api, access, {
    offersBasic: config.takesTokens,
    roles,
    ...(notesPeople && { onCaller: createPersonNotes(store, logger) }),
  })
  closeLateAfterEarlyReplies(api)
  const rests = config.deletedDays > 0
  const handlers = {
    ...damageHandlers(store),
    ...datasetHandlers(store, { datasets, roles }),
    ...repoHandlers(store, { droppedData, roles, rests }),
    ...grantHandlers(store, { roles, people }),
    ...tokenHandlers(store, { isEnabled: config.takesTokens }),
    ...linkHandlers(store, { isEnabled: config.takesLinks, roles }),
    ...viewHandlers(store, { datasets, droppedData, roles, rests }),
    ...itemHandlers(datasets),
    ...labelHandlers(store, datasets),
    ...logHandlers(logs, signer),
    ...auditLogHandlers(store, { logs, signer, administrators: admins }),
    ...provenanceHandlers(store, datasets),
    ...auditHandlers(store, { administrators: admins, roles }),
    ...deletedHandlers(store, {
      administrators: admins,
      datasets,
      droppedData,
      restMs: config.deletedDays * dayMs,
    }),
    ...valueHandlers({ store, blobs: insertContext.blobs, datasets }),
    ...pictureHandlers({ store, blobs: insertContext.blobs, datasets, pictures }),
    ...insertHandlers(insertContext, { datasets, roles }),
    ...correctionHandlers(store, datasets),
    ...importHandlers(importContext, imports),
    ...exportHandlers({
      store,
      blobs: insertContext.blobs,
      datasets,
      snapshots,
      logs,
      signer,
      logger,
      apiUrl: publicUrl,
    }),
    ...snapshotHandlers({ store, blobs: insertContext.blobs, snapshots, apiUrl: publicUrl }),
  }
  bindCalls(api, handlers, { jsonBodyMs })
}
