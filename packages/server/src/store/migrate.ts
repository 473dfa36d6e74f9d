import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Tables } from './tables.ts'
import * as initial from './migrations/001-initial.ts'
import * as accounts from './migrations/002-accounts.ts'
import * as listings from './migrations/003-listings.ts'
import * as blobRemovals from './migrations/004-blob-removals.ts'
import * as explorations from './migrations/005-explorations.ts'
import * as imports from './migrations/006-imports.ts'
import * as leases from './migrations/007-leases.ts'
import * as importEndings from './migrations/008-import-endings.ts'
import * as publishAnew from './migrations/009-publish-anew.ts'
import * as installation from './migrations/011-installation.ts'
import * as blobDamage from './migrations/012-blob-damage.ts'
import * as scrub from './migrations/013-scrub.ts'
import * as transientBlobs from './migrations/014-transient-blobs.ts'
import * as mustChange from './migrations/015-must-change.ts'
import * as valueDamage from './migrations/016-value-damage.ts'
import * as importOwners from './migrations/017-import-owners.ts'
import * as schemaRevisions from './migrations/018-schema-revisions.ts'
import * as summaries from './migrations/021-summaries.ts'
import * as searchSlices from './migrations/022-search-slices.ts'
import * as logs from './migrations/023-logs.ts'
import * as tokens from './migrations/024-tokens.ts'
import * as names from './migrations/025a-names.ts'
import * as states from './migrations/026-states.ts'
import * as addedItems from './migrations/028-added-items.ts'
import * as auditLog from './migrations/029-audit-log.ts'
import * as snapshots from './migrations/030-snapshots.ts'
import * as itemOrigins from './migrations/031-item-origins.ts'
import * as deletedDatasets from './migrations/032-deleted-datasets.ts'
import * as tokenUsernames from './migrations/032a-token-usernames.ts'
import * as searchAnew from './migrations/033-search-anew.ts'
import * as scrubDerived from './migrations/034-scrub-derived.ts'
import * as sortKeysCut from './migrations/035-sort-keys-cut.ts'
import * as refusedValues from './migrations/036-refused-values.ts'
import * as exactJson from './migrations/037-exact-json.ts'
import * as zones from './migrations/038-zones.ts'
import * as importNotes from './migrations/039-import-notes.ts'
import * as searchLetters from './migrations/040-search-letters.ts'

/** In the order in which they run; forward only. */
export const migrations: Record<string, Migration> = {
  '001-initial': initial,
  '002-accounts': accounts,
  '003-listings': listings,
  '004-blob-removals': blobRemovals,
  '005-explorations': explorations,
  '006-imports': imports,
  '007-leases': leases,
  '008-import-endings': importEndings,
  '009-publish-anew': publishAnew,
  '011-installation': installation,
  '012-blob-damage': blobDamage,
  '013-scrub': scrub,
  '014-transient-blobs': transientBlobs,
  '015-must-change': mustChange,
  '016-value-damage': valueDamage,
  '017-import-owners': importOwners,
  '018-schema-revisions': schemaRevisions,
  '021-summaries': summaries,
  '022-search-slices': searchSlices,
  '023-logs': logs,
  '024-tokens': tokens,
  '025a-names': names,
  '026-states': states,
  '028-added-items': addedItems,
  '029-audit-log': auditLog,
  '030-snapshots': snapshots,
  '031-item-origins': itemOrigins,
  '032-deleted-datasets': deletedDatasets,
  '032a-token-usernames': tokenUsernames,
  '033-search-anew': searchAnew,
  '034-scrub-derived': scrubDerived,
  '035-sort-keys-cut': sortKeysCut,
  '036-refused-values': refusedValues,
  '037-exact-json': exactJson,
  '038-zones': zones,
  '039-import-notes': importNotes,
  '040-search-letters': searchLetters,
  // More texts are moments once more.
  '041-moments': zones,
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
