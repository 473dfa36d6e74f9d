import { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import { Connections } from './connections.ts'
import { postgresDialect } from './dialect.ts'
import { PostgresDriver } from './driver.ts'

/** Opens a database to be written as it is. */
export function openPostgresWrites(url: string): Kysely<Tables> {
  const driver = new PostgresDriver(new Connections(url, { max: 1 }))
  return new Kysely<Tables>({ dialect: postgresDialect(driver) })
}
