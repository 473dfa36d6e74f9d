import { createClient } from '@vitrine/client'
import { Connection } from './connection.ts'
import { sizes } from './fill-database.ts'
import { expectItems, latency } from './latency.ts'
import type { Figure, Measurement } from './measurement.ts'
import { startSignedInServer } from './signed-in-server.ts'
import { inTurns, median } from './statistics.ts'

const pageSize = 20
const rounds = 1000

const requests = {
  page: { what: () => `item?pageSize=${pageSize}`, check: expectItems(pageSize) },
  item: { what: () => 'item/1', check: () => undefined },
}

/** Latency of a page and an item where roles are looked up, beside a server without roles. */
export const roleChecks: Measurement = {
  name: 'role-checks',
  run: async (opened, engine) => {
    const dataset = `items-${sizes[0]}`
    const servers: Record<string, (name: keyof typeof requests) => Promise<number>> = {}
    for (const everyone of ['owner', 'reader']) {
      const database = await engine.copiedDatabase(opened)
      const env = { ...database, VITRINE_EVERYONE: everyone, VITRINE_ADMINS: 'alice' }
      const { server, token } = opened.use(await startSignedInServer(env))
      if (everyone === 'reader') {
        const client = createClient({ baseUrl: server.url, token: () => token })
        await client.grantSet({ datasetId: dataset, body: { everyone: true, role: 'reader' } })
      }
      const connection = await Connection.open(server.port)
      opened.defer(() => connection.close())
      servers[everyone] = (name) => latency(connection, token, { dataset, ...requests[name] })
    }
    const figures: Figure[] = []
    for (const name of ['page', 'item'] as const) {
      const things = {
        owner: () => servers['owner']!(name),
        reader: () => servers['reader']!(name),
      }
      await inTurns(rounds / 4, things)
      const { owner, reader } = await inTurns(rounds, things)
      figures.push({
        what: `${name} with roles`,
        value: median(reader),
        unit: 'ms',
        limit: { what: 'without', value: median(owner) },
        goal: { atMost: 1.05 },
      })
    }
    return figures
  },
}
