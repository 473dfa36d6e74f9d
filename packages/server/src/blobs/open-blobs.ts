import { join } from 'node:path'
import type { BlobAddress } from '../config.ts'
import type { Blobs } from './blobs.ts'
import { openFileBlobs } from './files/files.ts'

/**
 * Opens the blob store that the configuration names.
 * @throws ConfigError where an S3 store cannot work, saying what to change
 */
export async function openBlobs({
  blobs,
  dataDir,
}: {
  blobs: BlobAddress
  dataDir: string
}): Promise<Blobs> {
  if (blobs.engine === 'files') return openFileBlobs(blobs.folder)
  // Loaded where it is used: it takes time to start and memory.
  const { openS3Blobs } = await import('./s3/s3.ts')
  return openS3Blobs(blobs, { spoolDir: join(dataDir, 'spool') })
}
