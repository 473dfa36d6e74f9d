import type { Blobs } from '../src/blobs/blobs.ts'
import { collectBlobs } from '../src/blobs/collect.ts'
import { checkInstallation, type Finding } from '../src/upkeep/verify/check-installation.ts'
import { sweepInserts } from '../src/inserts/sweep-inserts.ts'
import type { TestDatabase } from './test-database.ts'

/** Database and blobs of an installation. */
type Rooms = { database: TestDatabase; blobs: Blobs }

/** Returns the findings of a check of an installation as it is. */
export function findings({ database, blobs }: Rooms): Promise<Finding[]> {
  return database.use(async (store) => {
    const found: Finding[] = []
    for await (const finding of checkInstallation(store, blobs)) found.push(finding)
    return found
  })
}

/** Returns the findings of a check once everything that can go is gone; of an installation without a process. */
export async function findingsAfterCollection(kept: Rooms): Promise<Finding[]> {
  const { database, blobs } = kept
  await database.use(async (store) => {
    await store.write(async (transaction) => {
      await transaction.updateTable('inserts').set({ expires_at: 1 }).execute()
      // A process that was killed may have been collecting, and nobody else may until its lease ends.
      await transaction.updateTable('leases').set({ expires_at: 0 }).execute()
    })
    await sweepInserts(store, { keptMs: 0 })
    await collectBlobs({ store, blobs }, { graceMs: 0, orphanGraceMs: 0 })
  })
  return findings(kept)
}
