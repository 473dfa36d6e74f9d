import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
} from 'fastify'
import type { Authenticate } from './auth/identity.ts'
import type { Config } from './config.ts'
import { sendErrors, sendFailure } from './http/errors.ts'
import { protectApi } from './http/protect-api.ts'
import { bindCalls } from './http/route.ts'
import { addSecurityHeaders } from './http/security-headers.ts'
import { datasetHandlers } from './routes/datasets.ts'
import { repoHandlers } from './routes/repos.ts'
import type { Store } from './store/store.ts'

export type AppParts = {
  config: Config
  /** Where people reach this server, without a slash at the end. */
  publicUrl: string
  /** The issuer of the tokens that are accepted. */
  authority: string
  store: Store
  authenticate: Authenticate
  /** The built-in provider, where it is the authority: its routes below `/realms/local`. */
  provider?: FastifyPluginAsync | undefined
  server: Server
  logger: FastifyBaseLogger
}

/** Wires the rooms together: one Fastify instance that answers requests of `server`. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { publicUrl, store, authenticate, provider, server, logger } = parts
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    // 128 characters of a name, each at most 4 bytes of UTF-8, each byte 3 characters of an address.
    routerOptions: { maxParamLength: 128 * 4 * 3 },
    frameworkErrors: (error, request, reply) => sendFailure(error, request, reply),
    // The server listens already; it hands its requests over once all is ready.
    serverFactory: () => server,
  })
  sendErrors(app)
  addSecurityHeaders(app, publicUrl)
  await app.register(
    async (api) => {
      protectApi(api, authenticate)
      bindCalls(api, { ...datasetHandlers(store), ...repoHandlers(store) })
    },
    { prefix: '/api' },
  )
  if (provider !== undefined) await app.register(provider)
  return app
}
