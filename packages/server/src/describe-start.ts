import type { BlobAddress, Config } from './config.ts'
import type { DatabaseAddress } from './store/store.ts'

/** Describes the configuration for the first line of the log, without passwords. */
export function describeStart(
  { database, blobs }: Config,
  { version, url, issuer }: { version: string; url: string; issuer: string },
): Record<string, string> {
  return {
    version,
    node: process.version,
    url,
    database: describeDatabase(database),
    blobs: describeBlobs(blobs),
    issuer,
  }
}

/** The engine and where it is. */
export function describeDatabase(address: DatabaseAddress): string {
  if (address.engine === 'sqlite') return `sqlite: ${address.file}`
  const { host, pathname } = new URL(address.url)
  return `postgres: ${host}${pathname}`
}

/** The engine and where it is. */
export function describeBlobs(address: BlobAddress): string {
  if (address.engine === 'files') return `files: ${address.folder}`
  const { bucket, prefix, endpoint } = address
  return `s3: ${bucket}/${prefix}${endpoint === undefined ? '' : ` at ${new URL(endpoint).host}`}`
}
