import type { DatabaseAddress, Store } from './store.ts'

/** A database as it is found: opened to be read, never created, and left at the schema that it has. */
export type ExistingStore = Pick<Store, 'reads' | 'prepare' | 'close'> & {
  /** The last migration that it has seen. */
  schema: string
  /** Whether that is the schema of this program. */
  isCurrent: boolean
}

/** @throws UnfitDatabase where there is none, or one that is not Vitrine's */
export async function openExisting(address: DatabaseAddress): Promise<ExistingStore> {
  if (address.engine === 'sqlite') {
    const { openExistingSqlite } = await import('./sqlite/open-existing-sqlite.ts')
    return openExistingSqlite(address.file)
  }
  const { openExistingPostgres } = await import('./postgres/open-existing-postgres.ts')
  return openExistingPostgres(address.url)
}
