import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { createBearer } from '../packages/server/src/access/bearer.ts'
import { createCallAccess } from '../packages/server/src/access/call-access.ts'
import { remoteKeys } from '../packages/server/src/access/remote-keys.ts'
import { createBlobHealth } from '../packages/server/src/blobs/blobs.ts'
import { readConfig } from '../packages/server/src/config.ts'
import { fail } from '../packages/server/src/failure.ts'
import { closeLateAfterEarlyReplies, protectApi } from '../packages/server/src/http/protect-api.ts'
import { createMetrics } from '../packages/server/src/http/metrics.ts'
import { observeRequests } from '../packages/server/src/http/observe.ts'
import '../packages/server/src/http/route.ts'
import { addSecurityHeaders } from '../packages/server/src/http/security-headers.ts'
import { shedLoad, usualBounds } from '../packages/server/src/http/shed-load.ts'
import { openLog } from '../packages/server/src/open-log.ts'

/**
 * The limits of the reads: JSON that was made beforehand, of as many bytes as the address says. Below
 * `/same` everything happens that the product does for every call of its API; below `/open` the same
 * without asking who it is, which leaves a line in the log, metrics and headers; below `/bare` there
 * is nothing but Fastify.
 */
const { port, oidc, logLevel } = readConfig(process.env)
const { authority: issuer = '', audience, clientId } = oidc
const authenticate = createBearer({ issuer, audience, clientId, keys: remoteKeys(issuer) })
const refuse = async () => {
  throw fail('TOKEN_INVALID')
}
const access = createCallAccess({ authenticate, checkToken: refuse, checkLink: refuse })
const app = Fastify({
  loggerInstance: openLog(logLevel).logger,
  logController: new LogController({ disableRequestLogging: true }),
  genReqId: () => randomUUID(),
})
app.get('/readyz', async () => ({ status: 'ready' }))
await app.register(async (bare) => answerConstants(bare), { prefix: '/bare' })
await app.register(
  async (same) => {
    prepareRequests(same)
    shedLoad(same, usualBounds)
    protectApi(same, access, {
      offersBasic: true,
      roles: {
        presume: () => undefined,
        require: async () => true,
        visibilityOf: () => 'all',
      },
    })
    closeLateAfterEarlyReplies(same)
    answerConstants(same)
  },
  { prefix: '/same' },
)
await app.register(
  async (open) => {
    prepareRequests(open)
    answerConstants(open)
  },
  { prefix: '/open' },
)
process.on('SIGTERM', () => void app.close())
await app.listen({ port, host: '127.0.0.1' })

function prepareRequests(instance: FastifyInstance): void {
  observeRequests(
    instance,
    createMetrics(async () => 0, createBlobHealth()),
  )
  addSecurityHeaders(instance, `http://localhost:${port}`)
}

function answerConstants(instance: FastifyInstance): void {
  const constants = new Map<string, string>()
  instance.get<{ Params: { bytes: string } }>('/:bytes', async ({ params }, reply) => {
    const { bytes } = params
    let constant = constants.get(bytes)
    if (constant === undefined) {
      constant = JSON.stringify({ constant: 'x'.repeat(Number(bytes) - '{"constant":""}'.length) })
      constants.set(bytes, constant)
    }
    reply.header('content-type', 'application/json; charset=utf-8')
    return constant
  })
}
