import { fileURLToPath } from 'node:url'
import { Connection, requestBytes } from './connection.ts'
import type { Figure, Measurement } from './measurement.ts'
import { requestRate, type Rate } from './request-rate.ts'
import { startServerProcess } from './server-process.ts'
import { startFilledServer } from './signed-in-server.ts'
import { inTurns, median } from './statistics.ts'

const load = { connections: 32, seconds: 2 }
const rounds = 7
const size = 100_000

/** Requests a second with bearer, against the same server returning a constant of that size. */
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
      const limit = (of: 'same' | 'bare') => () =>
        requestRate(constant, [requestBytes('GET', `/${of}/${bytes}`)], load)
      const things = {
        own: () => requestRate(server, requests, load),
        same: limit('same'),
        bare: limit('bare'),
      }
      await inTurns(2, things)
      const values = await inTurns(rounds, things)
      const rate = (of: keyof typeof values, per: keyof Rate) =>
        median(values[of].map((each) => each[per]))
      figures.push(
        {
          what: `${what}, ${bytes} bytes`,
          value: rate('own', 'perSecond'),
          unit: '/s',
          limit: { what: 'the same server, a constant', value: rate('same', 'perSecond') },
          goal: { atLeast: 0.6 },
        },
        {
          what: '  in a second of processor time',
          value: rate('own', 'perCpuSecond'),
          unit: '/s',
          limit: { what: 'the same server, a constant', value: rate('same', 'perCpuSecond') },
        },
        {
          what: '  against less of a server',
          value: rate('own', 'perSecond'),
          unit: '/s',
          limit: { what: 'bare Fastify, a constant', value: rate('bare', 'perSecond') },
        },
      )
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
