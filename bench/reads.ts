import { fileURLToPath } from 'node:url'
import { requestBytes } from './connection.ts'
import type { Figure, Measurement } from './measurement.ts'
import {
  type counts,
  load,
  pageSize,
  rateOf,
  readRequests,
  replyBytes,
  rounds,
  size,
} from './read-requests.ts'
import { requestRate, type Rate } from './request-rate.ts'
import { startServerProcess } from './server-process.ts'
import { startSignedInServer } from './signed-in-server.ts'
import { inTurns, median } from './statistics.ts'

const limits = {
  same: 'the same server, a constant',
  open: 'one that does not ask who it is, a constant',
  bare: 'bare Fastify, a constant',
}

/** Paths by the place in a repository, as a share of its items. */
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
  run: async (opened, engine) => {
    const filled = await engine.filledDatabase(opened)
    const { server, token, issuerEnv } = opened.use(await startSignedInServer(filled))
    const constant = opened.use(
      await startServerProcess({
        file: fileURLToPath(import.meta.resolve('./constant-server.ts')),
        env: issuerEnv,
      }),
    )
    const headers = { authorization: `Bearer ${token}` }
    const figures: Figure[] = []
    for (const [what, path] of Object.entries(paths)) {
      const asked = (asking: keyof typeof counts) =>
        readRequests(asking, (share) => `/api/dataset/items-${size}/${path(share)}`, headers)
      const again = asked('again')
      const bytes = await replyBytes(server, again[again.length >> 1]!)
      const limit = (of: string) => {
        const request = requestBytes('GET', `/${of}/${bytes}`, headers)
        return () => requestRate(constant, () => request, load)
      }
      const things = {
        again: rateOf(server, again),
        anew: rateOf(server, asked('anew')),
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
