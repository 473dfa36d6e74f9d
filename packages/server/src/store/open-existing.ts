import type { DatabaseAddress, Store } from './store.ts'

/** A database as it is found: opened to be read, never created, and left at the schema that it has. */
export type ExistingStore = Pick<Store, 'reads' | 'prepare' | 'close'> & {
  /** The last migration that it has seen. */
  schema: string
  /** Whether that is the schema of this program. */
  isCurrent: boolean
  /** Says why this program cannot start on it; undefined where it can, and would bring it to its schema. */
  fault: string | undefined
  /** Looks whether this account may write to it; returns why not, as far as that can be seen. */
  findWriteFault: () => Promise<string | undefined>
  /** Lists what is wrong with pages and indexes, in the engine's own words. PostgreSQL says nothing of them. */
  listFaults: () => Promise<string[]>
}

/**
 * @param options.startingMs how long PostgreSQL may take to be there
 * @throws InvalidDatabase where it is not Vitrine's, MissingDatabase where there is none
 */
export async function openExisting(
  address: DatabaseAddress,
  options?: { startingMs: number },
): Promise<ExistingStore> {
  if (address.engine === 'sqlite') {
    const { openExistingSqlite } = await import('./sqlite/open-existing-sqlite.ts')
    return openExistingSqlite(address.file)
  }
  const { openExistingPostgres } = await import('./postgres/open-existing-postgres.ts')
  return openExistingPostgres(address.url, options)
}
