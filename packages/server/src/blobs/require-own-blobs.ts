import { randomUUID } from 'node:crypto'
import { type BlobAddress, ConfigError, showBlobAddress } from '../config.ts'
import { listKnownBlobs } from '../store/blobs.ts'
import { claimInstallation, findInstallation, hasBlobs } from '../store/installation.ts'
import type { Db, Store } from '../store/store.ts'
import type { Blobs } from './blobs.ts'

/** How many blobs of a store are compared with the database where neither has an id. */
const sampleSize = 1000

/**
 * Makes sure that database and blob store belong to the same installation, and gives both its id at the
 * first start (docs/decisions/blobs.md). Processes that start together agree on one.
 * @throws ConfigError where they do not belong together, saying how to let them
 */
export async function requireOwnBlobs(
  { store, blobs }: { store: Store; blobs: Blobs },
  address: BlobAddress,
): Promise<void> {
  if ((await compareOwners({ db: store.reads, blobs }, address)) !== undefined) return
  const id = await claimInstallation(store, randomUUID())
  const claimed = await blobs.owner.claim(id)
  if (claimed !== id) throw belongsToAnother(showBlobAddress(address), claimed, id)
}

/**
 * Compares whose blobs are in a store with whose the database is, and changes nothing.
 * @returns the installation of both; undefined where both may get an id
 * @throws ConfigError where they do not belong together
 */
export async function compareOwners(
  { db, blobs }: { db: Db; blobs: Pick<Blobs, 'owner' | 'list'> },
  address: BlobAddress,
): Promise<string | undefined> {
  const where = showBlobAddress(address)
  // In this order: another process that starts writes the id into the database first.
  const owner = await blobs.owner.read()
  const own = await findInstallation(db)
  if (owner !== undefined) {
    if (owner !== own) throw belongsToAnother(where, owner, own)
    return owner
  }
  const sample = await sampleOf(blobs)
  if (sample.length === 0 && (await hasBlobs(db))) {
    throw new ConfigError(
      `There are no files in ${where}, and the database${named(own)} knows of some: check that the volume is mounted and that VITRINE_BLOB_URL is right. ${adoption}`,
    )
  }
  if (sample.length > 0) {
    const recorded = await listKnownBlobs(db, sample)
    if (recorded.size * 2 < sample.length) {
      throw new ConfigError(
        `The database${named(own)} knows ${recorded.size} of ${sample.length} files in ${where}, which have no installation: check that VITRINE_DATABASE_URL and VITRINE_BLOB_URL belong together. ${adoption}`,
      )
    }
  }
  return undefined
}

const adoption = 'If they do belong together, run: vitrine blobs adopt'

function belongsToAnother(where: string, owner: string, own: string | undefined): ConfigError {
  const database =
    own === undefined ? 'and the database to none' : `the database to installation ${own}`
  return new ConfigError(
    `The files in ${where} belong to installation ${owner}, ${database}: check that VITRINE_DATABASE_URL and VITRINE_BLOB_URL belong together. ${adoption}`,
  )
}

function named(id: string | undefined): string {
  return id === undefined ? '' : ` of installation ${id}`
}

async function sampleOf(blobs: Pick<Blobs, 'list'>): Promise<string[]> {
  const sample: string[] = []
  for await (const { sha256 } of blobs.list()) {
    sample.push(sha256)
    if (sample.length === sampleSize) break
  }
  return sample
}
