import { openBlobs } from '../../blobs/open-blobs.ts'
import { type Config, ConfigError } from '../../config.ts'
import { openExisting } from '../../store/open-existing.ts'
import { InvalidDatabase } from '../../store/invalid-database.ts'
import {
  type Finding,
  checkFile,
  checkFiles,
  checkItems,
  describeUnreadable,
  orUnreadable,
} from './check-installation.ts'

export { checkDerived } from './check-derived.ts'
export type { Finding } from './check-installation.ts'

/**
 * Checks an installation where it is kept, down to the last byte; a server may be working on it.
 * @throws ConfigError where there is none that this program can read
 */
export async function* checkData({
  database,
  blobs,
  dataDir,
}: Pick<Config, 'database' | 'blobs' | 'dataDir'>): AsyncGenerator<Finding> {
  const store = await openExisting(database).catch((error: unknown) => {
    throw error instanceof InvalidDatabase ? new ConfigError(error.message) : error
  })
  try {
    if (store.fault !== undefined) throw new ConfigError(`The database ${store.fault}.`)
    if (!store.isCurrent) {
      throw new ConfigError(
        `The database has the schema ${store.schema}, of another version of Vitrine: check it with that version, or start this one on it first.`,
      )
    }
    for await (const damage of orUnreadable('database', checkFile(store))) {
      yield { kind: 'damage', ...damage }
    }
    for await (const damage of checkItems(store)) yield { kind: 'damage', ...damage }
    try {
      yield* checkFiles(store, await openBlobs({ blobs, dataDir }))
    } catch (error) {
      if (error instanceof ConfigError) throw error
      yield { kind: 'damage', ...describeUnreadable('files', error) }
    }
  } finally {
    await store.close()
  }
}
