import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Tables } from './tables.ts'
import * as tables from './migrations/001-tables.ts'
import * as grants from './migrations/004-grants.ts'
import * as importReaders from './migrations/005-import-readers.ts'
import * as tokenDatasets from './migrations/006-token-datasets.ts'
import * as accessRevision from './migrations/007-access-revision.ts'
import * as generations from './migrations/008-generations.ts'
import * as corrections from './migrations/009-corrections.ts'
import * as superseded from './migrations/010-superseded.ts'
import * as importMatches from './migrations/011-import-matches.ts'
import * as checkpoints from './migrations/012-checkpoints.ts'
import * as logNodes from './migrations/013-log-nodes.ts'
import * as nonces from './migrations/014-nonces.ts'
import * as auditLog from './migrations/015-audit-log.ts'
import * as rowChecks from './migrations/016-row-checks.ts'
import * as indexedValues from './migrations/017-indexed-values.ts'

/** Migrations of both engines, which run by the order of their names; forward only. */
export const migrations: Record<string, Migration> = {
  '001-tables': tables,
  '004-grants': grants,
  '005-import-readers': importReaders,
  '006-token-datasets': tokenDatasets,
  '007-access-revision': accessRevision,
  '008-generations': generations,
  '009-corrections': corrections,
  '010-superseded': superseded,
  '011-import-matches': importMatches,
  '012-checkpoints': checkpoints,
  '013-log-nodes': logNodes,
  '014-nonces': nonces,
  '015-audit-log': auditLog,
  '016-row-checks': rowChecks,
  '017-indexed-values': indexedValues,
}

/**
 * Brings a database to the newest schema, under the migrator's lock. The migrator reads the catalogue of
 * all tables, which fails on PostgreSQL where another process removes one at that moment; so it is left
 * out where nothing is to be done.
 * @param executed the migrations that the database has had
 */
export async function migrate(
  db: Kysely<Tables>,
  migrations: Record<string, Migration>,
  executed: readonly string[],
): Promise<void> {
  if (Object.keys(migrations).every((name) => executed.includes(name))) return
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}
