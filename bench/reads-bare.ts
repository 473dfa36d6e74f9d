import { fileURLToPath } from 'node:url'
import type { Figure, Measurement } from './measurement.ts'
import { pageSize, rateOf, readRequests, replyBytes, rounds, size } from './read-requests.ts'
import type { Rate } from './request-rate.ts'
import { startServerProcess } from './server-process.ts'
import { startSignedInServer } from './signed-in-server.ts'
import { inTurns, median } from './statistics.ts'

const repo = `items-${size}`
const idAt = (share: number) => Math.floor(share * size) + 1
const pageAt = (share: number) => Math.floor((share * size) / pageSize)

/** Paths of the same rows at the product and the bare server. */
const paths = {
  'item get': {
    own: (share: number) => `/api/dataset/${repo}/item/${idAt(share)}`,
    bare: (share: number) => `/item/${idAt(share)}`,
  },
  'page of 20 items': {
    own: (share: number) => `/api/dataset/${repo}/item?page=${pageAt(share)}&pageSize=${pageSize}`,
    bare: (share: number) => `/page?page=${pageAt(share)}&pageSize=${pageSize}`,
  },
}

/** Requests a second with bearer, against bare Fastify and the engine's driver reading the same rows. */
export const readsBare: Measurement = {
  name: 'reads-bare',
  run: async (opened, engine) => {
    const filled = await engine.filledDatabase(opened)
    const { server, token } = opened.use(await startSignedInServer(filled))
    const bare = opened.use(
      await startServerProcess({
        file: fileURLToPath(import.meta.resolve('./bare-reads-server.ts')),
        env: { ...filled, BENCH_REPO: repo },
      }),
    )
    const headers = { authorization: `Bearer ${token}` }
    const figures: Figure[] = []
    for (const [what, path] of Object.entries(paths)) {
      const again = readRequests('again', path.own, headers)
      const bytes = await replyBytes(server, again[again.length >> 1]!)
      const asSmall = { 'x-bytes': `${bytes}` }
      const things = {
        again: rateOf(server, again),
        bareAgain: rateOf(bare, readRequests('again', path.bare, asSmall)),
        anew: rateOf(server, readRequests('anew', path.own, headers)),
        bareAnew: rateOf(bare, readRequests('anew', path.bare, asSmall)),
      }
      await inTurns(2, things)
      const values = await inTurns(rounds, things)
      const rate = (of: keyof typeof values, per: keyof Rate) =>
        median(values[of].map((each) => each[per]))
      for (const [asking, limitOf] of [
        ['again', 'bareAgain'],
        ['anew', 'bareAnew'],
      ] as const) {
        const figure = (per: keyof Rate) => ({
          value: rate(asking, per),
          unit: '/s',
          limit: { what: 'bare Fastify and SELECT', value: rate(limitOf, per) },
        })
        figures.push(
          {
            what: `${what}, ${bytes} bytes, ${asking}`,
            ...figure('perSecond'),
            goal: { atLeast: 0.7 },
          },
          { what: "  in a second of the server's processor time", ...figure('perCpuSecond') },
        )
      }
    }
    return figures
  },
}
