import { createClient } from '@vitrine/client'
import { insertsPerSecond } from './inserts.ts'
import type { Measurement } from './measurement.ts'
import { startProcesses } from './signed-in-server.ts'
import { inTurns, median } from './statistics.ts'

const rounds = 5
const processes = 3
const clients = 64
const repo = 'inserts'

/** Items added by the same clients at one, two and three processes of one installation. */
export const insertsProcesses: Measurement = {
  name: 'inserts-processes',
  // The other one belongs to one process.
  engines: ['postgres'],
  run: async (opened, engine) => {
    const database = await engine.newDatabase()
    const { server, token, ports } = await startProcesses(opened, database, processes)
    const names = ['title', 'note']
    const schema = names.map((name) => ({ name, type: 'string', length: 400 }))
    await createClient({ baseUrl: server.url, token: () => token }).repoCreate({
      body: { name: repo, schema },
    })
    const limit = await engine.durableCommits(opened)
    const at = (count: number) => () =>
      insertsPerSecond(token, { ports: ports.slice(0, count), repo, names, clients })
    const things: Record<string, () => Promise<number>> = {
      ...Object.fromEntries(ports.map((_, index) => [`${index + 1}`, at(index + 1)])),
      limit: () => limit.perSecond(1),
    }
    await inTurns(1, things)
    const values = await inTurns(rounds, things)
    return ports.map((_, index) => ({
      what: `items of two texts, ${clients} clients, processes: ${index + 1}`,
      value: median(values[`${index + 1}`]!),
      unit: '/s',
      limit: { what: limit.what, value: median(values['limit']!) },
    }))
  },
}
