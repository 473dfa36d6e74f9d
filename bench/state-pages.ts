import { ApiError, createClient } from '@vitrine/client'
import type { DatasetDiff } from '@vitrine/contract'
import { caughtUp } from './caught-up.ts'
import { Connection } from './connection.ts'
import { sizes } from './fill-database.ts'
import { expectItems, latency } from './latency.ts'
import type { Measurement } from './measurement.ts'
import { startSignedInServer } from './signed-in-server.ts'
import { inTurns, median } from './statistics.ts'

const pageSize = 20
const rounds = 200
const places = ['first', 'middle', 'last'] as const

/** Views of each kind of state: of members a beginning, of an order a listing of its own. */
const views = {
  filtered: { where: { title: { ends_with: '7' } } },
  ordered: { order: 'title' },
  limited: { order: 'title', limit: 10_000 },
}

/** Items between two states that are compared. */
const changed = 1000

/** Latency of pages of states, `name@N`, and of what changed since one, beside pages as they are now. */
export const statePages: Measurement = {
  name: 'state-pages',
  run: async (opened, engine) => {
    const copied = opened.use(await startSignedInServer(await engine.filledDatabase(opened)))
    const client = createClient({ baseUrl: copied.server.url, token: () => copied.token })
    const size = Math.max(...sizes)
    const base = `items-${size}`
    const at = Math.floor(size / 2)
    const names = [base]
    for (const [name, view] of Object.entries(views)) {
      await client.viewCreate({ body: { name, base, ...view } })
      await caughtUp(copied, name)
      names.push(name)
    }
    const counts = new Map<string, { now: number; before: number }>()
    for (const datasetId of names) {
      // The first who asks for the state of an order waits for its listing.
      await untilReady(() => client.datasetItemList({ datasetId, at, pageSize }))
      const now = (await client.datasetCount({ datasetId })).totalItems
      const before = (await client.datasetCount({ datasetId, at })).totalItems
      counts.set(datasetId, { now, before })
      await untilReady(() =>
        client.datasetDiff({ datasetId, from: size - changed, to: size, pageSize }),
      )
    }
    const connection = await Connection.open(copied.server.port)
    const things: Record<string, () => Promise<number>> = {}
    const asked = names.flatMap((dataset) =>
      places.map((place) => {
        const { now, before } = counts.get(dataset)!
        const ask = (count: number, state: string) => {
          const last = Math.floor(count / pageSize) - 1
          const page = { first: 0, middle: last >> 1, last }[place]
          const what = () => `item?page=${page}&pageSize=${pageSize}${state}`
          const thing = `${dataset}, ${place}${state}`
          things[thing] = () =>
            latency(connection, copied.token, { dataset, what, check: expectItems(pageSize) })
          return thing
        }
        return { what: `${dataset}: ${place}`, now: ask(now, ''), before: ask(before, `&at=${at}`) }
      }),
    )
    for (const dataset of names) {
      const what = () => `diff?from=${size - changed}&to=${size}&pageSize=${pageSize}`
      things[`${dataset}, diff`] = () =>
        latency(connection, copied.token, { dataset, what, check: expectChanges })
    }
    await inTurns(rounds / 4, things)
    const values = await inTurns(rounds, things)
    connection.close()
    const pages = asked.map(({ what, now, before }) => ({
      what: `${what} page at ${at.toLocaleString('en')}`,
      value: median(values[before]!),
      unit: 'ms',
      limit: { what: 'the same of now', value: median(values[now]!) },
      goal: { atMost: 1.3 },
    }))
    const diffs = names.map((name) => ({
      what: `${name}: changes of the last ${changed.toLocaleString('en')} items`,
      value: median(values[`${name}, diff`]!),
      unit: 'ms',
      limit: { what: 'its first page of now', value: median(values[`${name}, first`]!) },
    }))
    return [...pages, ...diffs]
  },
}

function expectChanges(reply: unknown): void {
  const { added, removed, changes } = reply as DatasetDiff
  expectItems(Math.min(pageSize, added + removed))(changes)
}

async function untilReady(read: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await read()
      return
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'VIEW_NOT_READY') throw error
    }
  }
}
