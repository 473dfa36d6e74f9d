import { Kysely } from 'kysely'
import type { ExistingStore } from '../open-existing.ts'
import { readSchema } from '../read-schema.ts'
import type { Tables } from '../tables.ts'
import { UnfitDatabase } from '../unfit-database.ts'
import { Connections } from './connections.ts'
import { postgresDialect } from './dialect.ts'
import { PostgresReadDriver } from './driver.ts'
import { postgresMigrations, prepareOnPool } from './open-postgres-store.ts'
import { requireFitting } from './require-fitting.ts'

export async function openExistingPostgres(url: string): Promise<ExistingStore> {
  const connections = new Connections(url, { max: 4 })
  const db = new Kysely<Tables>({ dialect: postgresDialect(new PostgresReadDriver(connections)) })
  try {
    await requireFitting(connections, Object.keys(postgresMigrations))
    const schema = await readSchema(db, postgresMigrations)
    return {
      ...schema,
      reads: db,
      prepare: prepareOnPool(connections, db),
      close: () => db.destroy(),
    }
  } catch (error) {
    await db.destroy()
    if (error instanceof UnfitDatabase) throw error
    throw new UnfitDatabase(`This is no database of Vitrine: ${(error as Error).message}.`)
  }
}
