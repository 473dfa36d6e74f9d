import { fileURLToPath } from 'node:url'
import { Connection, requestBytes } from './connection.ts'
import type { Figure, Measurement } from './measurement.ts'
import { requestsPerSecond } from './requests-per-second.ts'
import { startServerProcess } from './server-process.ts'
import { startFilledServer } from './signed-in-server.ts'
import { inTurns, median } from './statistics.ts'

const load = { connections: 32, seconds: 2 }
const rounds = 7
const size = 100_000

/** Requests a second with bearer, against Fastify returning a constant of the same size. */
export const reads: Measurement = {
  name: 'reads',
  run: async (opened) => {
    const filled = opened.use(await startFilledServer())
    const constant = opened.use(
      await startServerProcess({
        file: fileURLToPath(import.meta.resolve('./constant-server.ts')),
      }),
    )
    const { server, token } = filled
    const ask = (path: string) => requestBytes('GET', path, { authorization: `Bearer ${token}` })
    const places = Array.from({ length: 500 }, (_, index) => index * 199)
    const asked = {
      'item get': places.map((place) => ask(`/api/dataset/items-${size}/item/${place + 1}`)),
      'page of 20 items': places.map((place) =>
        ask(`/api/dataset/items-${size}/item?page=${Math.floor(place / 20)}&pageSize=20`),
      ),
    }
    const figures: Figure[] = []
    for (const [what, requests] of Object.entries(asked)) {
      const bytes = await replyBytes(server.port, requests)
      const same = [requestBytes('GET', `/constant/${bytes}`)]
      const measure = { own: requests, limit: same }
      const run = (of: keyof typeof measure, seconds: number) =>
        requestsPerSecond(of === 'own' ? server.port : constant.port, measure[of], {
          ...load,
          seconds,
        })
      await run('own', 3)
      await run('limit', 3)
      const values = await inTurns(rounds, {
        own: () => run('own', load.seconds),
        limit: () => run('limit', load.seconds),
      })
      figures.push({
        what: `${what} (${bytes} bytes)`,
        value: median(values.own),
        unit: 'requests/s',
        limit: { what: 'Fastify, constant of that size', value: median(values.limit) },
        goal: { atLeast: 0.6 },
      })
    }
    return figures
  },
}

async function replyBytes(port: number, requests: Buffer[]): Promise<number> {
  const connection = await Connection.open(port)
  const { status, body } = await connection.send(requests[requests.length >> 1]!)
  connection.close()
  if (status !== 200) throw new Error(`${status}: ${body.toString()}`)
  return body.length
}
