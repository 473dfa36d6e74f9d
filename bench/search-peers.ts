import { DatabaseSync } from 'node:sqlite'
import type { Client } from '@vitrine/client'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Figure, Measurement } from './measurement.ts'
import { personName, personNameSql } from './people.ts'
import { startPeopleServer } from './people-server.ts'
import { newPocketBase, type RunningPocketBase } from './pocketbase.ts'
import { inTurns, median } from './statistics.ts'

const size = Number(process.env['SEARCH_ITEMS'] ?? 135_000)
const rounds = 7
const pageSize = 100
/** Ours over the peer's: what is new each time, and, of a large repository, what is known by the index. */
const goal = { atMost: size >= 1_000_000 ? 1 / 20 : 1 }

/** How long a search among people's names takes beside PocketBase's `~`: each time for another text. */
export const searchPeers: Measurement = {
  name: 'search-peers',
  engines: ['sqlite'],
  run: async (opened, engine) => {
    const { client, untilIndexed } = await startPeopleServer(opened, engine, size)
    const peer = await startFilled(opened)
    let next = 0
    const text = (part: (name: string) => string) => {
      next += 1
      return part(personName((next * 104_729) % size))
    }
    const first = { ours: await found(client, 'nobody'), peers: await foundBeside(peer, 'nobody') }
    await untilIndexed()
    const name = (each: string) => each
    const letters = (each: string) => each.slice(1, 4)
    const times = await inTurns(rounds, {
      page: () => pageOf(client, text(letters)),
      peersPage: () => pageBeside(peer, text(letters)),
      part: () => found(client, text(letters)),
      peersPart: () => foundBeside(peer, text(letters)),
      name: () => found(client, text(name)),
      peersName: () => foundBeside(peer, text(name)),
      nothing: () =>
        found(
          client,
          text((each) => `${each}q`),
        ),
      peersNothing: () =>
        foundBeside(
          peer,
          text((each) => `${each}q`),
        ),
    })
    const row = (what: string, ours: number, peers: number): Figure => {
      return { what, value: ours, unit: 'ms', limit: { what: "PocketBase's", value: peers }, goal }
    }
    return [
      row(
        `in ${size.toLocaleString('en')} names, the first search: its total`,
        first.ours,
        first.peers,
      ),
      row('three letters: a page', median(times.page), median(times.peersPage)),
      row('three letters: a page and its total', median(times.part), median(times.peersPart)),
      row('a name: a page and its total', median(times.name), median(times.peersName)),
      row(
        'what nobody is called: a page and its total',
        median(times.nothing),
        median(times.peersNothing),
      ),
    ]
  },
}

/** Starts a PocketBase with the same people, put into its database as ours are. */
async function startFilled(opened: AsyncDisposableStack): Promise<RunningPocketBase> {
  const { databaseFile, start } = newPocketBase(opened)
  {
    await using empty = await start()
    const fields = [{ name: 'name', type: 'text', required: true, max: 40 }]
    await empty.call('collections', { name: 'people', type: 'base', fields })
  }
  using database = new DatabaseSync(databaseFile)
  const compiler = new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  const { sql: name } = personNameSql().compile(compiler)
  database.exec(`
    insert into people (id, name)
    with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${size - 1})
    select printf('p%014d', n), ${name} from numbers`)
  database.close()
  return opened.use(await start())
}

async function timed(ask: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await ask()
  return performance.now() - began
}

const pageOf = (client: Client, q: string) =>
  timed(() => client.datasetItemList({ datasetId: 'people', q }))

/** A first page and how many there are. */
const found = (client: Client, q: string) =>
  timed(() =>
    Promise.all([
      client.datasetItemList({ datasetId: 'people', q }),
      client.datasetCount({ datasetId: 'people', q }),
    ]),
  )

const records = (text: string) =>
  `collections/people/records?perPage=${pageSize}&filter=${encodeURIComponent(`name~"${text}"`)}`

const pageBeside = (peer: RunningPocketBase, text: string) =>
  timed(() => peer.call(`${records(text)}&skipTotal=1`))

const foundBeside = (peer: RunningPocketBase, text: string) => timed(() => peer.call(records(text)))
