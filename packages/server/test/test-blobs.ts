import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { parseBlobAddress, type BlobAddress, type S3Address } from '../src/config.ts'
import type { Blobs } from '../src/blobs/blobs.ts'
import { openBlobs } from '../src/blobs/open-blobs.ts'
import { connectS3, keyOf } from '../src/blobs/s3/bucket.ts'
import { chosenEngines, s3Url } from './engines.ts'

/** For tests of what only S3 has. */
export const isOnS3 = chosenEngines.blobs === 's3'

/** Whether the S3 server puts an object although `If-None-Match: *` does not hold. */
export const ignoresConditions = process.env['VITRINE_TEST_S3_CONDITIONS'] === 'ignored'

/** The blobs of one test, in the store that the environment chooses. */
export type TestBlobs = {
  address: BlobAddress
  /** Environment of a server, with the credentials that it needs. */
  env: Record<string, string>
  /** Opens it beside whoever else has it open. */
  open: () => Promise<Blobs>
  /** The digests of all blobs, in their order. */
  list: () => Promise<string[]>
  /** Lists what this process received and did not publish, or discard, wherever that is kept. */
  unpublished: () => Promise<string[]>
  /** Leaves something received and not published, as a process does that is killed. */
  leaveUnpublished: () => Promise<void>
  /** Takes away the id of the installation, which stores of before had none of. */
  disown: () => Promise<void>
  /** Puts any bytes under a digest. */
  put: (sha256: string, bytes: string | Buffer) => Promise<void>
}

export function createTestBlobs(dataDir: string, { blobs } = chosenEngines): TestBlobs {
  return blobs === 's3' ? blobsInS3(dataDir, ownS3Url()) : inFiles(dataDir)
}

/** A part of the tests' bucket that nobody else uses; `endpoint` may be that of a proxy. */
export function ownS3Url(endpoint?: string): string {
  const url = new URL(s3Url!)
  url.pathname = `/${randomUUID()}`
  if (endpoint !== undefined) url.searchParams.set('endpoint', endpoint)
  return url.href
}

/** Returns the S3 client's variables of this process's environment. */
export function s3Credentials(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      name.startsWith('AWS_') && value !== undefined ? [[name, value]] : [],
    ),
  )
}

function inFiles(dataDir: string): TestBlobs {
  const folder = join(dataDir, 'blobs')
  const unpublished = join(folder, 'tmp')
  return {
    ...opener({ engine: 'files', folder }, dataDir),
    env: {},
    unpublished: async () => readdirSync(unpublished),
    disown: async () => rmSync(join(folder, 'installation')),
    leaveUnpublished: async () => writeFileSync(join(unpublished, randomUUID()), 'left'),
    put: async (sha256, bytes) => {
      const path = join(folder, sha256.slice(0, 2), sha256.slice(2))
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, bytes)
    },
  }
}

/** The blobs of one test at an address of S3, such as that of a proxy. */
export function blobsInS3(dataDir: string, url: string): TestBlobs {
  const address = parseBlobAddress(url) as BlobAddress & S3Address
  const bucket = connectS3(address)
  const target = { Bucket: bucket.name }
  return {
    ...opener(address, dataDir),
    env: { VITRINE_BLOB_URL: url, ...s3Credentials() },
    unpublished: async () => {
      const { Uploads = [] } = await bucket.client.send(
        new ListMultipartUploadsCommand({ ...target, Prefix: bucket.prefix }),
      )
      return [...listNameless(join(dataDir, 'spool')), ...Uploads.map(({ Key }) => Key!)]
    },
    disown: async () => {
      const Key = `${bucket.prefix}installation`
      await bucket.client.send(new DeleteObjectCommand({ ...target, Key }))
    },
    leaveUnpublished: async () => {
      const Key = keyOf(bucket, '00'.repeat(32))
      await bucket.client.send(new CreateMultipartUploadCommand({ ...target, Key }))
    },
    put: async (sha256, bytes) => {
      const Key = keyOf(bucket, sha256)
      await bucket.client.send(
        new PutObjectCommand({ ...target, Key, Body: bytes, ChecksumAlgorithm: 'SHA256' }),
      )
    },
  }
}

function opener(
  address: BlobAddress,
  dataDir: string,
): Pick<TestBlobs, 'address' | 'open' | 'list'> {
  const open = () => openBlobs({ blobs: address, dataDir })
  const list = async () => {
    const found: string[] = []
    for await (const { sha256 } of (await open()).list()) found.push(sha256)
    return found.toSorted()
  }
  return { address, open, list }
}

/** The files without a name that this process has open in a folder. */
function listNameless(folder: string): string[] {
  const descriptors = '/proc/self/fd'
  return readdirSync(descriptors)
    .map((descriptor) => join(descriptors, descriptor))
    .flatMap((descriptor) => {
      try {
        const path = readlinkSync(descriptor)
        return path.startsWith(folder) ? [path] : []
      } catch {
        // What listed the folder.
        return []
      }
    })
}
