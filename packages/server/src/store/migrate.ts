import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Tables } from './tables.ts'
import * as initial from './migrations/001-initial.ts'
import * as accounts from './migrations/002-accounts.ts'
import * as listings from './migrations/003-listings.ts'

/** In the order in which they run; forward only. */
const migrations: Record<string, Migration> = {
  '001-initial': initial,
  '002-accounts': accounts,
  '003-listings': listings,
}

/** Brings a database to the newest schema, under the migrator's lock. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}
