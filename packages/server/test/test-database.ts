import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { privateFile, privateFolder } from '../src/runtime/private-modes.ts'
import { openStore, type Db, type DatabaseAddress, type Store } from '../src/store/store.ts'
import { chosenEngines, postgresUrl } from './engines.ts'
import { fillTemplate, sqliteTemplate, templateName, type Content } from './template.ts'

/** For tests of what only SQLite has. */
export const isOnSqlite = chosenEngines.database === 'sqlite'

/** A database of one test, on the engine that the environment chooses. */
export type TestDatabase = {
  address: DatabaseAddress
  /** Environment of a server. */
  env: Record<string, string>
  /** Opens it beside whoever else has it open. */
  open: () => Promise<Store>
  /** Opens it for as long as something is done with it. */
  use: <T>(work: (store: Store) => Promise<T>) => Promise<T>
  /** Copies it, as a backup does, while nobody has it open. */
  copy: (folder: string) => Promise<TestDatabase>
  /** Leaves nothing behind but what is in the folder. */
  drop: () => Promise<void>
}

export async function createTestDatabase(
  folder: string,
  { database } = chosenEngines,
  content: Content = 'tables',
): Promise<TestDatabase> {
  const file = join(folder, 'vitrine.db')
  if (database === 'sqlite') {
    mkdirSync(folder, { recursive: true, mode: privateFolder })
    writeFileSync(file, await sqliteTemplate(content), { mode: privateFile })
    return inSqlite(file)
  }
  const template = templates.get(content) ?? createTemplate(content)
  templates.set(content, template)
  return inPostgres(await template)
}

function inSqlite(file: string): TestDatabase {
  return testDatabase(
    { engine: 'sqlite', file },
    {},
    {
      copy: async (folder) => {
        mkdirSync(folder, { recursive: true, mode: privateFolder })
        const copied = join(folder, 'vitrine.db')
        copyFileSync(file, copied)
        if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copied}-wal`)
        return inSqlite(copied)
      },
      drop: async () => undefined,
    },
  )
}

async function inPostgres(template: string): Promise<TestDatabase> {
  const name = `vitrine_${randomUUID().replaceAll('-', '')}`
  await administer(`create database ${name} template ${template}`)
  const url = urlOf(name)
  return testDatabase(
    { engine: 'postgres', url },
    { VITRINE_DATABASE_URL: url },
    {
      copy: () => inPostgres(name),
      drop: () => administer(`drop database if exists ${name} with (force)`),
    },
  )
}

/** The names of its tables. */
export async function tableNames(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables()
  return tables.map(({ name }) => name)
}

function testDatabase(
  address: DatabaseAddress,
  env: Record<string, string>,
  actions: Pick<TestDatabase, 'copy' | 'drop'>,
): TestDatabase {
  const open = () => openStore({ database: address })
  const use = async <T>(work: (store: Store) => Promise<T>) => {
    const store = await open()
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }
  return { address, env, open, use, ...actions }
}

const templates = new Map<Content, Promise<string>>()

/** A database of which others are copies; made once for all that run at a time. */
async function createTemplate(content: Content): Promise<string> {
  const name = templateName(content)
  await administer(async (client) => {
    await client.query('select pg_advisory_lock(1)')
    const found = await client.query('select 1 from pg_database where datname = $1', [name])
    if (found.rows.length > 0) return
    await client.query(`create database ${name}_new template template0 encoding 'UTF8'`)
    await fillTemplate({ engine: 'postgres', url: urlOf(`${name}_new`) }, content)
    // Under its name it is whole.
    await client.query(`alter database ${name}_new rename to ${name}`)
  })
  return name
}

function urlOf(name: string): string {
  const url = new URL(postgresUrl!)
  url.pathname = name
  return url.href
}

async function administer(work: string | ((client: Client) => Promise<void>)): Promise<void> {
  const client = new Client({ connectionString: postgresUrl })
  await client.connect()
  try {
    await (typeof work === 'string' ? client.query(work) : work(client))
  } finally {
    await client.end()
  }
}
