import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { pino } from 'pino'
import { createMetrics } from '../packages/server/src/http/metrics.ts'
import { observeRequests } from '../packages/server/src/http/observe.ts'
// What the product adds to Fastify's types.
import '../packages/server/src/http/route.ts'
import { addSecurityHeaders } from '../packages/server/src/http/security-headers.ts'

/**
 * The limits of the reads: JSON that was made beforehand, of as many bytes as the address says. Below
 * `/same` everything happens that the product does for every request, a line in the log, metrics and
 * headers; below `/bare` there is nothing but Fastify.
 */
const port = Number(process.env['VITRINE_PORT'])
const app = Fastify({
  loggerInstance: pino({ base: undefined }, pino.destination({ dest: 1, sync: false })),
  logController: new LogController({ disableRequestLogging: true }),
  genReqId: () => randomUUID(),
})
app.get('/readyz', async () => ({ status: 'ready' }))
await app.register(async (bare) => answerConstants(bare), { prefix: '/bare' })
await app.register(
  async (same) => {
    observeRequests(
      same,
      createMetrics(async () => 0),
    )
    addSecurityHeaders(same, `http://localhost:${port}`)
    answerConstants(same)
  },
  { prefix: '/same' },
)
process.on('SIGTERM', () => void app.close())
await app.listen({ port, host: '127.0.0.1' })

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
