import { createServer } from 'node:http'
import Fastify from 'fastify'
import { pino } from 'pino'

/**
 * The limit of the reads: Fastify as the product sets it up, with nothing of the product in the way,
 * answering `/constant/<bytes>` with JSON of that size that was made beforehand.
 */
const app = Fastify({
  loggerInstance: pino({ level: 'silent' }),
  exposeHeadRoutes: false,
  serverFactory: (handler) => createServer(handler),
})
const constants = new Map<string, string>()
app.get('/readyz', async () => ({ status: 'ready' }))
app.get<{ Params: { bytes: string } }>('/constant/:bytes', async ({ params }, reply) => {
  const { bytes } = params
  let constant = constants.get(bytes)
  if (constant === undefined) {
    constant = JSON.stringify({ constant: 'x'.repeat(Number(bytes) - '{"constant":""}'.length) })
    constants.set(bytes, constant)
  }
  reply.header('content-type', 'application/json; charset=utf-8')
  return constant
})
process.on('SIGTERM', () => void app.close())
await app.listen({ port: Number(process.env['VITRINE_PORT']), host: '127.0.0.1' })
