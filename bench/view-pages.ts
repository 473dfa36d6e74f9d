import { createClient } from '@vitrine/client'
import { caughtUp } from './caught-up.ts'
import { Connection } from './connection.ts'
import { sizes } from './fill-database.ts'
import { expectItems, latency } from './latency.ts'
import type { Figure, Measurement } from './measurement.ts'
import { startSignedInServer, type SignedInServer } from './signed-in-server.ts'
import { inTurns, median } from './statistics.ts'

const pageSize = 20
const rounds = 200

/** Views on a repository of each size, each beside the base that it is on. */
const views = {
  filtered: { base: 'items', where: { title: { ends_with: '7' } } },
  ordered: { base: 'items', order: 'title' },
  'three deep': {
    base: 'descending',
    where: { related: { lt: 800 } },
    fields: ['title', { name: 'seen', from: 'picture' }],
  },
}
/** Views below the one that is three deep. */
const below = {
  ones: { base: 'items', where: { title: { contains: '1' } } },
  descending: { base: 'ones', order: '-title' },
}
const places = ['first', 'middle', 'last'] as const

type Asked = { what: string; of: keyof typeof views | 'repository'; place: string; size: number }

/** Latency of pages and counts of views: it must depend neither on the place nor on the size. */
export const viewPages: Measurement = {
  name: 'view-pages',
  run: async (opened, engine) => {
    const database = await engine.filledDatabase(opened)
    const copied = opened.use(await startSignedInServer(database))
    const asked: Asked[] = []
    const things: Record<string, () => Promise<number>> = {}
    const counted: { size: number; of: Asked['of']; name: string; count: number }[] = []
    for (const size of sizes) {
      for (const [of, name] of Object.entries(await createViews(copied, size))) {
        counted.push({ size, of: of as Asked['of'], name, count: await caughtUp(copied, name) })
      }
    }
    // Not before: the server closes connections on which nothing comes.
    const connection = await Connection.open(copied.server.port)
    for (const { size, of, name, count } of counted) {
      const last = Math.floor(count / pageSize) - 1
      const ask = (place: string, query: string, check: (reply: unknown) => void) => {
        const what = `${size.toLocaleString('en')}, ${of}: ${place}`
        asked.push({ what, of, place, size })
        things[what] = () =>
          latency(connection, copied.token, { dataset: name, what: () => query, check })
      }
      for (const place of places) {
        const page = { first: 0, middle: last >> 1, last }[place]
        ask(place, `item?page=${page}&pageSize=${pageSize}`, expectItems(pageSize))
      }
      ask('count', 'count', () => undefined)
    }
    await inTurns(rounds / 4, things)
    const values = await inTurns(rounds, things)
    connection.close()
    return figures(asked.map((each) => ({ ...each, value: median(values[each.what]!) })))
  },
}

async function createViews(
  { server, token }: SignedInServer,
  size: number,
): Promise<Record<Asked['of'], string>> {
  const client = createClient({ baseUrl: server.url, token: () => token })
  const nameOf = (name: string) => `${name.replace(' ', '-')}-${size}`
  for (const [name, view] of Object.entries({ ...below, ...views })) {
    await client.viewCreate({ body: { ...view, name: nameOf(name), base: nameOf(view.base) } })
  }
  const named = Object.keys(views).map((name) => [name, nameOf(name)])
  return Object.fromEntries([['repository', nameOf('items')], ...named])
}

function figures(measured: (Asked & { value: number })[]): Figure[] {
  const of = (wanted: Partial<Asked>) =>
    measured.filter((each) =>
      Object.entries(wanted).every(([key, value]) => each[key as keyof Asked] === value),
    )
  const spread = (what: string, values: number[]): Figure => ({
    what,
    value: Math.max(...values) / Math.min(...values),
    unit: '×',
    goal: { atMost: 1.3 },
  })
  const names = Object.keys(views) as (keyof typeof views)[]
  return [
    ...measured.map(({ what, of: name, place, size, value }): Figure => {
      const [own] = of({ of: 'repository', place, size })
      return name === 'repository' || own === undefined
        ? { what, value, unit: 'ms' }
        : {
            what,
            value,
            unit: 'ms',
            limit: { what: 'the same of the repository', value: own.value },
            goal: { atMost: 2 },
          }
    }),
    ...names.flatMap((name) => [
      spread(
        `${name}: slowest page by the fastest`,
        of({ of: name }).flatMap(({ place, value }) => (place === 'count' ? [] : [value])),
      ),
      spread(
        `${name}: slowest count by the fastest`,
        of({ of: name, place: 'count' }).map(({ value }) => value),
      ),
    ]),
  ]
}
