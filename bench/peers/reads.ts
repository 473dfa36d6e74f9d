import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Client } from '@vitrine/client'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { startPeopleServer } from '../people-server.ts'
import { personName, personNameSql } from '../people.ts'
import { sqliteEngine } from '../sqlite-engine.ts'
import type { Comparison } from './comparison.ts'
import { startDatasette } from './datasette.ts'
import { newPocketBase, type RunningPocketBase } from './pocketbase.ts'

const pageSize = 100
/** Requests one after the other for one value. */
const repeats = 10

/** Pages of people's names, and searches for a text that is another one each time, back to back. */
export async function reads(opened: AsyncDisposableStack, size: number): Promise<Comparison[]> {
  const { client, untilIndexed } = await startPeopleServer(opened, sqliteEngine, size)
  const pocketBase = await startFilledPocketBase(opened, size)
  const datasette = await startFilledDatasette(opened, size)
  let texts = 0
  const newText = (part: (name: string) => string) => {
    texts += 1
    return part(personName((texts * 104_729) % size))
  }
  const of = `of ${size.toLocaleString('en')}`

  const first = await timed(() => firstPage(client, 'nobody'))
  const firstBeside = await timed(() => pocketBase.call(recordsOf('nobody')))
  await untilIndexed()

  const search = (
    what: string,
    goal: number,
    part: (name: string) => string,
    { isSorted = false } = {},
  ): Comparison => {
    const mean = (ask: (text: string) => Promise<unknown>) => () => meanMs(() => ask(newText(part)))
    return {
      what: `a new text each time, ${what}: first page ${of}`,
      unit: 'ms',
      vitrine: mean((text) => firstPage(client, text, isSorted ? { order: ['name'] } : {})),
      peers: [
        {
          name: 'PocketBase',
          measure: mean((text) =>
            pocketBase.call(recordsOf(text) + (isSorted ? '&sort=name' : '')),
          ),
          goal,
        },
        {
          name: 'Datasette',
          measure: mean((text) =>
            getJson(datasetteSearch(datasette, text) + (isSorted ? '&_sort=name' : '')),
          ),
          goal,
        },
      ],
    }
  }
  /** Pages here and there: Vitrine keeps the replies to what was asked before. */
  const page = (ask: (number: number) => Promise<unknown>) => () =>
    meanMs(() => {
      texts += 1
      return ask((texts * 7_919) % Math.floor(size / pageSize))
    })
  return [
    {
      what: `the first search ${of}, no index yet: first page`,
      unit: 'ms',
      rounds: 1,
      vitrine: async () => first,
      peers: [{ name: 'PocketBase', measure: async () => firstBeside }],
    },
    search('nowhere', 10, (name) => `${name}q`),
    search('a name', 10, (name) => name),
    search('three letters', 1, (name) => name.slice(1, 4)),
    search('three letters, sorted by name', 1, (name) => name.slice(1, 4), { isSorted: true }),
    {
      what: `a page anywhere ${of}`,
      unit: 'ms',
      vitrine: page((number) =>
        client.datasetItemList({ datasetId: 'people', page: number, pageSize }),
      ),
      peers: [
        {
          name: 'PocketBase',
          measure: page((number) => pocketBase.call(`${records}&skipTotal=1&page=${number + 1}`)),
        },
        {
          name: 'Datasette',
          measure: page((number) =>
            getJson(`${datasette}/people/people.json?${plain}&_next=${number * pageSize}`),
          ),
        },
      ],
    },
    {
      what: `count ${of}`,
      unit: 'ms',
      vitrine: () => meanMs(() => client.datasetCount({ datasetId: 'people' })),
      peers: [
        {
          name: 'PocketBase',
          measure: () => meanMs(() => pocketBase.call('collections/people/records?perPage=1')),
        },
        {
          name: 'Datasette',
          measure: () => meanMs(() => getJson(`${datasette}/people/people.json?_size=0`)),
        },
      ],
    },
  ]
}

const firstPage = (client: Client, q: string, { order }: { order?: string[] } = {}) =>
  client.datasetItemList({ datasetId: 'people', q, pageSize, ...(order && { order }) })

const records = `collections/people/records?perPage=${pageSize}`
const recordsOf = (text: string) =>
  `${records}&skipTotal=1&filter=${encodeURIComponent(`name~"${text}"`)}`

/** Rows as objects, and nothing that takes Datasette longer: neither their number nor facets. */
const plain = `_shape=array&_size=${pageSize}&_nocount=1&_nofacet=1`
const datasetteSearch = (url: string, text: string) =>
  `${url}/people/people.json?${plain}&name__contains=${encodeURIComponent(text)}`

async function getJson(url: string): Promise<unknown> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.json()
}

async function timed(ask: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await ask()
  return performance.now() - began
}

async function meanMs(ask: () => Promise<unknown>): Promise<number> {
  return (
    (await timed(async () => {
      for (let repeat = 0; repeat < repeats; repeat += 1) await ask()
    })) / repeats
  )
}

/** A PocketBase with the same people, put into its database as ours are. */
async function startFilledPocketBase(
  opened: AsyncDisposableStack,
  size: number,
): Promise<RunningPocketBase> {
  const { databaseFile, start } = newPocketBase(opened)
  {
    await using empty = await start()
    const fields = [{ name: 'name', type: 'text', required: true, max: 40 }]
    await empty.call('collections', { name: 'people', type: 'base', fields })
  }
  using database = new DatabaseSync(databaseFile)
  database.exec(`insert into people (id, name) ${selectPeople(`printf('p%014d', n)`, size)}`)
  database.close()
  return opened.use(await start())
}

async function startFilledDatasette(opened: AsyncDisposableStack, size: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-datasette-'))
  opened.defer(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'people.db')
  using database = new DatabaseSync(file)
  database.exec('create table people (id integer primary key, name text not null)')
  database.exec(`insert into people (id, name) ${selectPeople('n + 1', size)}`)
  database.close()
  return startDatasette(opened, file)
}

/** A statement of SQLite that gives an id and the name of each person. */
function selectPeople(id: string, size: number): string {
  const compiler = new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  const { sql: name } = personNameSql().compile(compiler)
  return `with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${size - 1})
    select ${id}, ${name} from numbers`
}
