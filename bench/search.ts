import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@vitrine/client'
import { limits, type Exploration } from '@vitrine/contract'
import { sql } from 'kysely'
import { readConfig } from '../packages/server/src/config.ts'
import { bytes } from '../packages/server/src/store/column-types.ts'
import { findDataset } from '../packages/server/src/store/datasets.ts'
import { itemTable } from '../packages/server/src/store/items.ts'
import { countSegments } from '../packages/server/src/store/search-slices.ts'
import { openStore, type Store } from '../packages/server/src/store/store.ts'
import { segmentItems } from '../packages/server/src/search/segment-filter.ts'
import type { Figure, Measurement } from './measurement.ts'
import { startSignedInServer } from './signed-in-server.ts'
import { inTurns, median } from './statistics.ts'

const size = Number(process.env['SEARCH_ITEMS'] ?? 1_000_000)
/** What one statement adds at most: the server ends those that take long. */
const batch = 250_000
const rounds = 7

const syllables = Array.from('bcdfghjklmnprstvwxyz').flatMap((consonant) =>
  Array.from('aeiou', (vowel) => consonant + vowel),
)
/** The name of an item is two words of two syllables each; no two are the same up to a hundred million. */
const step = 7_919_777

/** How long a search takes among people's names: the first one, which has no index, and others after it. */
export const search: Measurement = {
  name: 'search',
  run: async (opened, engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
    opened.defer(() => rmSync(folder, { recursive: true }))
    const { VITRINE_DATABASE_URL: url = `sqlite:${join(folder, 'vitrine.db')}` } =
      await engine.newDatabase()
    const { server, token } = opened.use(await startSignedInServer({ VITRINE_DATABASE_URL: url }))
    const client = createClient({ baseUrl: server.url, token: () => token })
    const schema = [{ name: 'name', type: 'string', length: 40 }]
    await client.repoCreate({ body: { name: 'people', schema } })
    const store = await openStore(readConfig({ VITRINE_DATABASE_URL: url }))
    opened.defer(() => store.close())
    const repoId = await fillPeople(store)

    const began = performance.now()
    const first = await counted(client, 'nobody')
    while ((await countSegments(store.reads, repoId)) < Math.floor(size / segmentItems)) {
      await client.datasetGet({ datasetId: 'people' })
    }
    const indexed = performance.now() - began
    let next = 0
    const asked = (text: (name: string) => string, ask: typeof counted) => () => {
      next += 1
      return ask(client, text(nameOf((next * 104_729) % size)))
    }
    const times = await inTurns(rounds, {
      name: asked((name) => name, counted),
      word: asked((name) => name.slice(0, 4), counted),
      part: asked((name) => name.slice(1, 4), counted),
      letters: asked((name) => name.slice(0, 2), firstPage),
      nothing: asked((name) => `${name}q`, counted),
      label: asked((name) => name, lookedUp),
    })
    const limit = { what: 'the first search', value: first }
    const row = (what: string, values: readonly number[]): Figure => {
      return { what, value: median(values), unit: 'ms', limit }
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
      row('a name, as it is looked up for a reference', times.label),
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

async function firstPage(client: Client, q: string): Promise<number> {
  const began = performance.now()
  await client.datasetItemList({ datasetId: 'people', q })
  return performance.now() - began
}

function nameOf(index: number): string {
  const number = (index * step) % 100_000_000
  const syllable = (place: number) => syllables[Math.floor(number / place) % 100]!
  return `${syllable(1_000_000)}${syllable(10_000)} ${syllable(100)}${syllable(1)}`
}

/** Adds people in the database itself, as millions take a while. */
async function fillPeople(store: Store): Promise<number> {
  console.log('Filling a database, which takes a minute …')
  const { id } = (await findDataset(store.reads, 'people'))!
  const number = sql`((n * ${sql.lit(step)}) % 100000000)`
  const syllable = (place: number) =>
    sql`substr(${sql.lit(syllables.join(''))}, cast(1 + 2 * (${number} / ${sql.lit(place)} % 100) as integer), 2)`
  for (let from = 0; from < size; from += batch) {
    const to = Math.min(size, from + batch)
    await store.write(async (transaction) => {
      await sql`
        insert into ${itemTable(id)} (position, id, created_at, digests, f0)
        with recursive numbers (n) as (
          select cast(${sql.lit(from)} as bigint) union all select n + 1 from numbers where n < ${sql.lit(to - 1)}
        )
        select n, n + 1, 0, cast('' as ${bytes}),
          ${syllable(1_000_000)} || ${syllable(10_000)} || ' ' || ${syllable(100)} || ${syllable(1)}
        from numbers`.execute(transaction)
      await transaction
        .updateTable('datasets')
        .set({ next_position: to, next_item_id: to + 1 })
        .where('id', '=', id)
        .execute()
    })
  }
  return id
}
