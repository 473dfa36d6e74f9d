import { createClient } from '@vitrine/client'
import { insertsPerSecond } from './inserts.ts'
import type { Figure, Measurement } from './measurement.ts'
import { startSignedInServer } from './signed-in-server.ts'
import { inTurns, mean } from './statistics.ts'

/** Many and short: what a disk takes for a commit changes from one second to the next. */
const rounds = 200
const seconds = 0.1
const views = 20

/** Items added to a repository with views on it, against one without. */
export const viewCommits: Measurement = {
  name: 'view-commits',
  run: async (opened, engine) => {
    const { server, token } = opened.use(await startSignedInServer(await engine.newDatabase()))
    const client = createClient({ baseUrl: server.url, token: () => token })
    const schema = [
      { name: 'title', type: 'string', length: 120 },
      { name: 'note', type: 'string', length: 400 },
    ]
    for (const name of ['viewed', 'plain']) await client.repoCreate({ body: { name, schema } })
    for (let index = 0; index < views; index += 1) {
      const clauses = index % 2 === 0 ? { where: { title: { contains: 'e' } } } : { order: 'title' }
      await client.viewCreate({ body: { name: `view-${index}`, base: 'viewed', ...clauses } })
    }
    const figures: Figure[] = []
    for (const clients of [1, 64]) {
      const measure = (repo: string) => () =>
        insertsPerSecond(token, {
          ports: [server.port],
          repo,
          names: ['title', 'note'],
          clients,
          seconds,
        })
      const things = { viewed: measure('viewed'), plain: measure('plain') }
      await inTurns(rounds / 10, things)
      const values = await inTurns(rounds, things)
      figures.push({
        what: `items added below ${views} views, ${clients} client${clients === 1 ? '' : 's'}`,
        value: mean(values.viewed),
        unit: '/s',
        limit: { what: 'without views', value: mean(values.plain) },
        goal: { atLeast: 0.95 },
      })
    }
    return figures
  },
}
