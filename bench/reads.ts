import { fileURLToPath } from 'node:url'
import { Connection, requestBytes } from './connection.ts'
import type { Figure, Measurement } from './measurement.ts'
import { requestRate, type Rate } from './request-rate.ts'
import { startServerProcess } from './server-process.ts'
import { startFilledServer } from './signed-in-server.ts'
import { inTurns, median } from './statistics.ts'

const load = { connections: 32, seconds: 2 }
const rounds = 7
const size = 3_000_000
const pageSize = 20
/** So few that the server keeps all replies, and so many that it has forgotten each when it is due. */
const counts = { again: 500, anew: 30_000 }

const limits = {
  same: 'the same server, a constant',
  open: 'one that does not ask who it is, a constant',
  bare: 'bare Fastify, a constant',
}

/** Where in a repository something is, as a share of its items. */
const paths = {
  'item get': (share: number) => `item/${Math.floor(share * size) + 1}`,
  'page of 20 items': (share: number) =>
    `item?page=${Math.floor((share * size) / pageSize)}&pageSize=${pageSize}`,
}

/**
 * Requests a second with bearer, against the same server returning a constant of that size: what the
 * product does for every call, the check of the token included, is done there as well.
 */
export const reads: Measurement = {
  name: 'reads',
  run: async (opened) => {
    const { server, token, issuerEnv } = opened.use(await startFilledServer())
    const constant = opened.use(
      await startServerProcess({
        file: fileURLToPath(import.meta.resolve('./constant-server.ts')),
        env: issuerEnv,
      }),
    )
    const headers = { authorization: `Bearer ${token}` }
    const figures: Figure[] = []
    for (const [what, path] of Object.entries(paths)) {
      const asked = (count: number) =>
        Array.from({ length: count }, (_, index) =>
          requestBytes('GET', `/api/dataset/items-${size}/${path(index / count)}`, headers),
        )
      const own = (requests: Buffer[]) => {
        let next = 0
        return () => requestRate(server, () => requests[next++ % requests.length]!, load)
      }
      const requests = { again: asked(counts.again), anew: asked(counts.anew) }
      const bytes = await replyBytes(server.port, requests.again)
      const limit = (of: string) => {
        const request = requestBytes('GET', `/${of}/${bytes}`, headers)
        return () => requestRate(constant, () => request, load)
      }
      const things = {
        again: own(requests.again),
        anew: own(requests.anew),
        same: limit('same'),
        open: limit('open'),
        bare: limit('bare'),
      }
      await inTurns(2, things)
      const values = await inTurns(rounds, things)
      const rate = (of: keyof typeof values, per: keyof Rate) =>
        median(values[of].map((each) => each[per]))
      const figure = (
        asking: keyof typeof counts,
        limitOf: keyof typeof limits,
        per: keyof Rate,
      ) => ({
        value: rate(asking, per),
        unit: '/s',
        limit: { what: limits[limitOf], value: rate(limitOf, per) },
      })
      for (const asking of ['again', 'anew'] as const) {
        figures.push(
          {
            what: `${what}, ${bytes} bytes, ${asking}`,
            ...figure(asking, 'same', 'perSecond'),
            goal: { atLeast: 0.6 },
          },
          { what: '  in a second of processor time', ...figure(asking, 'same', 'perCpuSecond') },
          { what: '  against less of a server', ...figure(asking, 'open', 'perSecond') },
          { what: '  against much less', ...figure(asking, 'bare', 'perSecond') },
        )
      }
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
