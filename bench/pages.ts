import { Connection } from './connection.ts'
import { sizes } from './fill-database.ts'
import { expectItems, latency } from './latency.ts'
import type { Figure, Measurement } from './measurement.ts'
import { startSignedInServer } from './signed-in-server.ts'
import { inTurns, median } from './statistics.ts'

const pageSize = 20
const rounds = 400

/** Latency of the first, middle and last page: it must depend neither on the place nor on the size. */
export const pages: Measurement = {
  name: 'pages',
  run: async (opened, engine) => {
    const filled = await engine.filledDatabase(opened)
    const { server, token } = opened.use(await startSignedInServer(filled))
    const connection = await Connection.open(server.port)
    const measure = (size: number, pageAt: () => number) => () =>
      latency(connection, token, {
        dataset: `items-${size}`,
        what: () => `item?page=${pageAt()}&pageSize=${pageSize}`,
        check: expectItems(pageSize),
      })
    const things: Record<string, () => Promise<number>> = {}
    for (const size of sizes) {
      const last = size / pageSize - 1
      const name = `page of 20 of ${size.toLocaleString('en')}`
      things[`${name}: first`] = measure(size, () => 0)
      things[`${name}: middle`] = measure(size, () => last >> 1)
      things[`${name}: last`] = measure(size, () => last)
      things[`${name}: any`] = measure(size, () => Math.floor(Math.random() * (last + 1)))
    }
    await inTurns(rounds / 4, things)
    const values = await inTurns(rounds, things)
    connection.close()

    const medians = Object.entries(values).map(([what, latencies]) => ({
      what,
      value: median(latencies),
    }))
    const compared = medians.filter(({ what }) => !what.endsWith(': any')).map(({ value }) => value)
    const figures: Figure[] = medians.map(({ what, value }) => ({ what, value, unit: 'ms' }))
    return [
      ...figures,
      {
        what: 'slowest of first, middle, last by the fastest',
        value: Math.max(...compared) / Math.min(...compared),
        unit: '×',
        goal: { atMost: 1.3 },
      },
    ]
  },
}
