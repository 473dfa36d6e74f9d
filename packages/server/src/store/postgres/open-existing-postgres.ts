import { Kysely } from 'kysely'
import type { ExistingStore } from '../open-existing.ts'
import { InvalidDatabase, MissingDatabase, readSchema } from '../invalid-database.ts'
import type { Tables } from '../tables.ts'
import { Connections } from './connections.ts'
import { postgresDialect } from './dialect.ts'
import { PostgresDriver, PostgresReadDriver } from './driver.ts'
import { postgresMigrations, prepareOnPool } from './open-postgres-store.ts'
import { requireFitting } from './require-fitting.ts'

export async function openExistingPostgres(
  url: string,
  options?: { startingMs: number },
): Promise<ExistingStore> {
  const connections = new Connections(url, { max: 4 })
  const db = new Kysely<Tables>({ dialect: postgresDialect(new PostgresReadDriver(connections)) })
  try {
    await requireFitting(connections, Object.keys(postgresMigrations), options)
    const schema = await readSchema(db, postgresMigrations)
    return {
      ...schema,
      reads: db,
      prepare: prepareOnPool(connections, db),
      findWriteFault: () => writeFaultOf(connections),
      listFaults: async () => [],
      close: () => db.destroy(),
    }
  } catch (error) {
    await db.destroy()
    if (error instanceof InvalidDatabase) throw error
    if ((error as { code?: unknown }).code === undefinedTable) {
      throw new MissingDatabase('The database has no tables of Vitrine.')
    }
    throw new InvalidDatabase(`This is no database of Vitrine: ${(error as Error).message}.`)
  }
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const undefinedTable = '42P01'

/** Each dataset has tables of its own, so they have to be made while the server runs. */
async function writeFaultOf(connections: Connections): Promise<string | undefined> {
  const { rows } = await connections.read(`
    select current_user as "user", current_schema() as "schema",
      current_setting('transaction_read_only') = 'on' or pg_is_in_recovery() as "isReadOnly",
      has_schema_privilege(current_schema(), 'create') as "mayCreate"`)
  const { user, schema, isReadOnly, mayCreate } = rows[0] as Record<string, unknown>
  if (isReadOnly === true) return 'it can only be read: it is a replica, or set to be read only'
  return mayCreate === true
    ? undefined
    : `its user ${String(user)} may not create tables in the schema ${String(schema)}`
}

/** Opens a database to be written as it is. */
export function openPostgresWrites(url: string): Kysely<Tables> {
  const driver = new PostgresDriver(new Connections(url, { max: 1 }))
  return new Kysely<Tables>({ dialect: postgresDialect(driver) })
}
