import { type Client, createClient } from '@vitrine/client'
import { readConfig } from '../packages/server/src/config.ts'
import { insertCorrection } from '../packages/server/src/store/corrections.ts'
import { findRepoId } from '../packages/server/src/store/datasets.ts'
import { openStore } from '../packages/server/src/store/store.ts'
import { caughtUp } from './caught-up.ts'
import { Connection } from './connection.ts'
import type { DatabaseEnv } from './engine.ts'
import { sizes } from './fill-database.ts'
import { expectItems, latency } from './latency.ts'
import type { Figure, Measurement } from './measurement.ts'
import { startSignedInServer } from './signed-in-server.ts'
import { inTurns, median } from './statistics.ts'

const pageSize = 20
const rounds = 200
const places = ['first', 'middle', 'last'] as const

const size = Math.max(...sizes)
const base = `items-${size}`
/** Their names have as many spellings as requests, or replies would be cached. */
const views = {
  'filtered-by-title': { where: { title: { ends_with: '7' } } },
  'ordered-by-title': { order: 'title' },
}

/** Corrections at random, one in four a withdrawal. */
const corrections = { count: 10_000, withdrawn: 4 }
/** States that are compared with a plain evaluator: of the repository and the filtered view, and of the ordered one. */
const states = { inTheirOrder: 100, ordered: 3 }

/** Latency of pages of current items beside pages of all, once those of random states are what an evaluator says. */
export const currentPages: Measurement = {
  name: 'current-pages',
  run: async (opened, engine) => {
    const env = await engine.filledDatabase(opened)
    const since = await correctItems(env)
    const copied = opened.use(await startSignedInServer(env))
    const client = createClient({ baseUrl: copied.server.url, token: () => copied.token })
    const began = performance.now()
    await client.datasetItemList({ datasetId: base, current: true, pageSize })
    const start = performance.now() - began
    const names = [base, ...Object.keys(views)]
    for (const [name, view] of Object.entries(views)) {
      await client.viewCreate({ body: { name, base, ...view } })
      await caughtUp(copied, name)
    }
    await expectStates(client, since)
    const connection = await Connection.open(copied.server.port)
    const things: Record<string, () => Promise<number>> = {}
    const figures: Omit<Figure, 'value' | 'limit'>[] = []
    for (const dataset of names) {
      const all = (await client.datasetCount({ datasetId: dataset })).totalItems
      const held = (await client.datasetCount({ datasetId: dataset, current: true })).totalItems
      for (const place of places) {
        const what = `${dataset}: ${place} page`
        const ask = (count: number, asked: string) => () => {
          const last = Math.floor(count / pageSize) - 1
          const page = { first: 0, middle: last >> 1, last }[place]
          const path = () => `item?page=${page}&pageSize=${pageSize}${asked}`
          const check = expectItems(pageSize)
          return latency(connection, copied.token, { dataset, what: path, check })
        }
        things[what] = ask(all, '')
        things[`${what}, current`] = ask(held, '&current=true')
        figures.push({ what, unit: 'ms', goal: { atMost: 1.3 } })
      }
    }
    await inTurns(rounds / 4, things)
    const values = await inTurns(rounds, things)
    connection.close()
    return [
      { what: 'first page of current items after a start', value: start, unit: 'ms' },
      ...figures.map((figure) => ({
        ...figure,
        value: median(values[`${figure.what}, current`]!),
        limit: { what: 'the same of all items', value: median(values[figure.what]!) },
      })),
    ]
  },
}

/**
 * Makes random items of the filled repository corrections of earlier ones, as they would be had they come as such.
 * @returns the position of what superseded it by the position of each item that does not hold any more
 */
async function correctItems(env: DatabaseEnv): Promise<Map<number, number>> {
  await using opened = new AsyncDisposableStack()
  const store = await openStore(readConfig(env))
  opened.defer(() => store.close())
  const repoId = (await findRepoId(store.reads, base))!
  const chosen = new Set<number>()
  while (chosen.size < corrections.count) chosen.add(1 + Math.floor(Math.random() * (size - 1)))
  const since = new Map<number, number>()
  await store.write(async (transaction) => {
    since.clear()
    for (const [index, position] of [...chosen].toSorted((a, b) => a - b).entries()) {
      const replaced = Math.floor(Math.random() * position)
      const withdraws = index % corrections.withdrawn === 0
      const correction = { replaces: replaced + 1, reason: 'a trial', withdraws }
      const item = { repoId, id: position + 1, position }
      if (!(await insertCorrection(transaction, item, correction))) continue
      if (!since.has(replaced)) since.set(replaced, position)
      if (withdraws) since.set(position, position)
    }
  })
  return since
}

/** The positions of the items that hold in a state, by the plainest means. */
function currentAt(since: ReadonlyMap<number, number>, at: number): number[] {
  return Array.from({ length: at }, (_, position) => position).filter(
    (position) => (since.get(position) ?? Infinity) >= at,
  )
}

/** Titles of the filled repository end with a number below 1,000. */
const titleNumber = (position: number) => position % 1000

function inOrderOfTitles(a: number, b: number): number {
  const [first, second] = [String(titleNumber(a)), String(titleNumber(b))]
  if (first === second) return a - b
  return first < second ? -1 : 1
}

async function expectStates(client: Client, since: ReadonlyMap<number, number>): Promise<void> {
  for (let round = 0; round < states.inTheirOrder; round += 1) {
    const at = round === 0 ? size : Math.floor(Math.random() * (size + 1))
    const held = currentAt(since, at)
    await expectPages(client, { datasetId: base, at }, held)
    const filtered = held.filter((position) => titleNumber(position) % 10 === 7)
    await expectPages(client, { datasetId: 'filtered-by-title', at }, filtered)
    if (round >= states.ordered) continue
    await expectPages(client, { datasetId: 'ordered-by-title', at }, held.toSorted(inOrderOfTitles))
  }
}

/** Expects the count, the first and the last page, and some between them. */
async function expectPages(
  client: Client,
  state: { datasetId: string; at: number },
  expected: readonly number[],
): Promise<void> {
  const asked = { ...state, current: true }
  const { totalItems } = await client.datasetCount(asked)
  const last = Math.floor(Math.max(0, expected.length - 1) / pageSize)
  const random = Array.from({ length: 5 }, () => Math.floor(Math.random() * (last + 1)))
  for (const page of [0, ...random, last]) {
    const items = await client.datasetItemList({ ...asked, page, pageSize })
    const ids = expected.slice(page * pageSize, (page + 1) * pageSize).map((place) => place + 1)
    const isSame = items.length === ids.length && items.every(({ id }, at) => id === ids[at])
    if (totalItems === expected.length && isSame) continue
    throw new Error(`page ${page} of ${state.datasetId}@${state.at} has other items`)
  }
}
