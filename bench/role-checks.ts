import { createClient } from '@vitrine/client'
import { Connection } from './connection.ts'
import type { Engine } from './engine.ts'
import { sizes } from './fill-database.ts'
import { expectItems, latency } from './latency.ts'
import type { Figure, Measurement } from './measurement.ts'
import { startSignedInServer } from './signed-in-server.ts'
import { inTurns, median } from './statistics.ts'

const pageSize = 20
const rounds = 500
const dataset = `items-${sizes[0]}`

/** Numbers requests, lest a server has the reply cached. */
let number = 0

const requests = {
  page: {
    what: () => `item?page=${number++ % (sizes[0] / pageSize)}&pageSize=${pageSize}`,
    check: expectItems(pageSize),
  },
  item: { what: () => `item/${1 + (number++ % sizes[0])}`, check: () => undefined },
  'cached page': { what: () => `item?pageSize=${pageSize}`, check: expectItems(pageSize) },
  'cached item': { what: () => 'item/1', check: () => undefined },
}
type Latency = (name: keyof typeof requests) => Promise<number>

/**
 * Latency of a page and an item where roles are looked up, beside a server without roles. Of two servers the one that was
 * started first is the faster one by up to a fifth, so each is the first of a pair.
 */
export const roleChecks: Measurement = {
  name: 'role-checks',
  run: async (opened, engine) => {
    const owner = await startServer(opened, engine, 'owner')
    const reader = await startServer(opened, engine, 'reader')
    const pairs = [
      { owner, reader },
      {
        reader: await startServer(opened, engine, 'reader'),
        owner: await startServer(opened, engine, 'owner'),
      },
    ]
    const figures: Figure[] = []
    for (const name of Object.keys(requests) as (keyof typeof requests)[]) {
      const values: Record<'owner' | 'reader', number[]> = { owner: [], reader: [] }
      for (const pair of pairs) {
        const things = { owner: () => pair.owner(name), reader: () => pair.reader(name) }
        await inTurns(rounds / 2, things)
        const measured = await inTurns(rounds, things)
        values.owner.push(...measured.owner)
        values.reader.push(...measured.reader)
      }
      figures.push({
        what: `${name} with roles`,
        value: median(values.reader),
        unit: 'ms',
        limit: { what: 'without', value: median(values.owner) },
        goal: { atMost: 1.05 },
      })
    }
    return figures
  },
}

async function startServer(
  opened: AsyncDisposableStack,
  engine: Engine,
  everyone: 'owner' | 'reader',
): Promise<Latency> {
  const database = await engine.filledDatabase(opened)
  const env = { ...database, VITRINE_EVERYONE: everyone, VITRINE_ADMINS: 'alice' }
  await grantRole({ ...env, VITRINE_EVERYONE: 'reader' })
  const { server, token } = opened.use(await startSignedInServer(env))
  const connection = await Connection.open(server.port)
  opened.defer(() => connection.close())
  return (name) => latency(connection, token, { dataset, ...requests[name] })
}

/** Gives a role in a database, in each one, so that they differ in nothing. */
async function grantRole(env: Record<string, string>): Promise<void> {
  await using running = await startSignedInServer(env)
  const { server, token } = running
  const client = createClient({ baseUrl: server.url, token: () => token })
  await client.grantSet({ datasetId: dataset, body: { everyone: true, role: 'reader' } })
}
