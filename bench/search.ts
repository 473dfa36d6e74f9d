import type { Client } from '@vitrine/client'
import { limits, type Exploration } from '@vitrine/contract'
import type { Figure, Measurement } from './measurement.ts'
import { countries, countryName, personName } from './people.ts'
import { startPeopleServer } from './people-server.ts'
import { inTurns, median } from './statistics.ts'

const size = Number(process.env['SEARCH_ITEMS'] ?? 1_000_000)
const rounds = 7
const foundMs = 150

/** How long a search takes among people's names: the first one, which has no index, and others after it. */
export const search: Measurement = {
  name: 'search',
  run: async (opened, engine) => {
    const { client, untilIndexed } = await startPeopleServer(opened, engine, size)
    const began = performance.now()
    const first = await counted(client, 'nobody')
    await untilIndexed()
    const indexed = performance.now() - began
    let next = 0
    const asked = (text: (name: string) => string, ask: typeof counted) => () => {
      next += 1
      return ask(client, text(personName((next * 104_729) % size)))
    }
    const times = await inTurns(rounds, {
      name: asked((name) => name, counted),
      word: asked((name) => name.slice(0, 4), counted),
      part: asked((name) => name.slice(1, 4), counted),
      letters: asked(
        (name) => name.slice(0, 2),
        (_, q) => firstPage(client, { q }),
      ),
      nothing: asked((name) => `${name}q`, counted),
      label: asked((name) => name, lookedUp),
      ...countryTimes(client),
      item: asked((name) => name, foundIn),
      beginning: asked((name) => name.slice(0, 3), foundIn),
    })
    const limit = { what: 'the first search', value: first }
    const row = (what: string, values: readonly number[]): Figure => {
      return { what, value: median(values), unit: 'ms', limit }
    }
    const found = (what: string, values: readonly number[]): Figure => {
      return { what, value: median(values), unit: 'ms', goal: { atMost: foundMs } }
    }
    return [
      {
        what: `a search in ${size.toLocaleString('en')} names, the first`,
        value: first / 1000,
        unit: 's',
      },
      { what: 'until all of them are indexed', value: indexed / 1000, unit: 's' },
      row('a name', times.name),
      row('a word that one in 5,000 has', times.word),
      row('three letters', times.part),
      row('two letters, the first page', times.letters),
      row('what nobody is called', times.nothing),
      row(`the name of a country that one in ${countries} comes from`, times.country),
      row('the same as a filter by its id', times.countryId),
      row('the same as a filter by its name', times.countryPath),
      row('the first page of such a search', times.countryPage),
      row('the first page of a filter by an id that nobody has', times.absentId),
      row('a name, as it is looked up for a reference', times.label),
      found('an item of any repository, by its name', times.item),
      found('the same, by its first three letters', times.beginning),
    ]
  },
}

/** Counts what is asked for, up to the most that is counted; the milliseconds that it takes. */
async function untilCounted(
  client: Client,
  asked: Pick<Exploration, 'where' | 'q'>,
): Promise<number> {
  const began = performance.now()
  for (;;) {
    const count = await client.datasetCount({ datasetId: 'people', partial: true, ...asked })
    if (count.exact !== false || count.totalItems === limits.countMax) {
      return performance.now() - began
    }
  }
}

const counted = (client: Client, q: string) => untilCounted(client, { q })
const lookedUp = (client: Client, name: string) =>
  untilCounted(client, { where: { name: { search: name } } })

/** Items of any repository that are called so, or begin so: whether all were looked at is for the reply to say. */
async function foundIn(client: Client, q: string): Promise<number> {
  const began = performance.now()
  const { exact } = await client.itemSearch({ q })
  const took = performance.now() - began
  if (!exact) console.log(`not all items were looked at for ${q}`)
  return took
}

/** Searches for one country after another, and filters that find the same. */
function countryTimes(client: Client) {
  let next = 0
  const each = (ask: (index: number) => Promise<number>) => () => {
    next += 1
    return ask(next)
  }
  return {
    country: each((index) => counted(client, countryName(index))),
    countryId: each((index) => untilCounted(client, { where: { country: { eq: index + 1 } } })),
    countryPath: each((index) =>
      untilCounted(client, { where: { 'country.name': { search: countryName(index) } } }),
    ),
    countryPage: each((index) => firstPage(client, { q: countryName(index) })),
    absentId: each((index) => firstPage(client, { where: { country: { eq: 1e6 + index } } })),
  }
}

async function firstPage(client: Client, asked: Pick<Exploration, 'where' | 'q'>): Promise<number> {
  const began = performance.now()
  await client.datasetItemList({ datasetId: 'people', ...asked })
  return performance.now() - began
}
