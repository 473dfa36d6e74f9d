import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createClient } from '@vitrine/client'
import { caughtUp } from '../caught-up.ts'
import { fillDatabase } from '../fill-database.ts'
import { startSignedInServer } from '../signed-in-server.ts'
import type { Comparison } from './comparison.ts'

const size = 1_000_000
const goal = 0.67

type Kind = {
  clauses: object
  peer: string
  statements: (items: string, round: number) => string[]
  /** Statement that takes away what a round made, apart from what is measured. */
  after?: (round: number) => string
}

/** Views, each beside statements by which bare SQLite stores or sorts the same of the same table. */
const kinds: Record<string, Kind> = {
  ordered: {
    clauses: { order: 'title' },
    peer: 'CREATE INDEX and a scan',
    // The scan of the next kind would read an index that is there in place of the table.
    after: (round: number) => `drop index by_title_${round}`,
    statements: (items: string, round: number) => [
      `create index by_title_${round} on ${items} (f0)`,
      `select sum(position) from (select position from ${items} indexed by by_title_${round} order by f0 limit -1)`,
    ],
  },
  filtered: {
    clauses: { where: { title: { ends_with: '7' } } },
    peer: 'a scan that stores',
    statements: (items: string, round: number) => [
      `create table members_${round} as select position from ${items} where f0 like '%7'`,
    ],
  },
  'filtered by what a reference leads to': {
    clauses: { where: { 'related.title': { ends_with: '7' } } },
    peer: 'a join that stores',
    statements: (items: string, round: number) => [
      `create table joined_${round} as select i.position from ${items} i join ${items} r on r.id = i.f1 where r.f0 like '%7'`,
    ],
  },
}

/** Views of a million items, from their creation to their last item. */
export async function views(opened: AsyncDisposableStack): Promise<Comparison[]> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'vitrine.db')
  await fillDatabase(`sqlite:${file}`, [size])
  const copy = join(folder, 'copy.db')
  copyFileSync(file, copy)
  const database = opened.adopt(new DatabaseSync(copy), (each) => each.close())
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  const items = database
    .prepare("select name from sqlite_schema where name like 'items@_%' escape '@'")
    .get()
  const table = String(items!['name'])
  const signedIn = opened.use(await startSignedInServer({ VITRINE_DATABASE_URL: `sqlite:${file}` }))
  const client = createClient({ baseUrl: signedIn.server.url, token: () => signedIn.token })
  let made = 0
  return Object.entries(kinds).map(([kind, { clauses, peer, statements, after }]): Comparison => ({
    what: `view of a million, ${kind}: until it is whole`,
    unit: 's',
    vitrine: async () => {
      made += 1
      const name = `view-${made}`
      const began = performance.now()
      await client.viewCreate({ body: { name, base: `items-${size}`, ...clauses } })
      await caughtUp(signedIn, name)
      return (performance.now() - began) / 1000
    },
    peers: [
      {
        name: `SQLite: ${peer}`,
        goal,
        measure: async () => {
          made += 1
          const began = performance.now()
          for (const statement of statements(table, made)) database.prepare(statement).all()
          const seconds = (performance.now() - began) / 1000
          if (after !== undefined) database.exec(after(made))
          return seconds
        },
      },
    ],
  }))
}
