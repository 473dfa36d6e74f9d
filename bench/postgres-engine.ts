import { Client } from 'pg'
import { startPostgres } from '../tools/postgres-server.mjs'
import { commitsPerSecond } from './durable-commits.ts'
import type { DatabaseEnv, Engine } from './engine.ts'
import { fillDatabase } from './fill-database.ts'

/** A PostgreSQL with the settings that it comes with, started for this run. */
export async function startPostgresEngine(opened: AsyncDisposableStack): Promise<Engine> {
  const { env, stop } = await startPostgres({ isDurable: true })
  opened.defer(stop)
  const server = env.VITRINE_TEST_DATABASE_URL
  // Debian names its package behind the number.
  const [version] = (await showSetting(server, 'server_version')).split(' ')
  let filled: Promise<string> | undefined
  let databases = 0
  const create = async (template = 'template1') => {
    databases += 1
    const name = `bench_${databases}`
    await query(server, `create database ${name} template ${template} strategy file_copy`)
    return name
  }
  const addressOf = (database: string): DatabaseEnv => ({
    VITRINE_DATABASE_URL: urlOf(server, database),
  })
  const fill = async () => {
    const database = await create()
    const url = urlOf(server, database)
    await fillDatabase(url)
    // What the server would otherwise do some time later, while something is measured.
    await query(url, 'vacuum analyze')
    await query(url, 'checkpoint')
    return database
  }
  const filledOnce = () => (filled ??= fill())
  return {
    name: 'postgres',
    version: `PostgreSQL ${version}`,
    newDatabase: async () => addressOf(await create()),
    filledDatabase: async () => addressOf(await create(await filledOnce())),
    durableCommits: async (stack) => {
      const client = new Client({ connectionString: urlOf(server, await create()) })
      await client.connect()
      stack.defer(() => client.end())
      await client.query('create table item (id bigserial primary key, title text not null)')
      return {
        what: 'durable commits of bare PostgreSQL, one after the other',
        perSecond: (seconds) =>
          commitsPerSecond(seconds, () =>
            client.query('insert into item (title) values ($1)', ['A picture of something']),
          ),
      }
    },
  }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = database
  return url.href
}

async function showSetting(url: string, name: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Record<string, string>>(`show ${name}`)
  await client.end()
  return rows[0]![name]!
}

async function query(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}
