import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
  type ListMultipartUploadsCommandOutput,
  type MultipartUpload,
} from '@aws-sdk/client-s3'
import { randomUUID } from 'node:crypto'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { privateFolder } from '../runtime/private-modes.ts'
import type { S3Address } from './address.ts'
import { createBlobHealth } from './blob-health.ts'
import type { Blobs } from './blobs.ts'
import { watchRoom } from './disk-reserve.ts'
import { requireWorkingBucket } from './require-working-bucket.ts'
import { connectS3, digestOf, keyOf, type S3Bucket } from './s3-bucket.ts'
import { nameOf, refuse, statusOf } from './s3-failure.ts'
import { ownerInBucket } from './s3-owner.ts'
import { putBlob } from './s3-put.ts'
import { readBlob } from './s3-read.ts'
import { trashInBucket } from './s3-trash.ts'
import { spool } from './spool.ts'

/** Resolves after so many milliseconds. */
type Wait = (milliseconds: number) => Promise<void>

/**
 * Blobs as objects of a bucket, under the names that files have. What comes in waits in a file of this
 * machine until its digest is known (docs/decisions/blobs.md).
 * @throws ConfigError where the bucket cannot be used, saying what to change
 */
export async function openS3Blobs(
  address: S3Address,
  { spoolDir, wait = sleep }: { spoolDir: string; wait?: Wait | undefined },
): Promise<Blobs> {
  await mkdir(spoolDir, { recursive: true, mode: privateFolder })
  const requireRoom = watchRoom(spoolDir)
  const bucket = connectS3(address)
  const health = createBlobHealth()
  await requireWorkingBucket(bucket, address)

  return {
    health,
    owner: ownerInBucket(bucket),
    trash: trashInBucket(bucket, (sha256) => remove(bucket, sha256, wait).catch(refuse)),
    requireRoom,

    receive: async (source, { maxBytes }) => {
      const file = await openNameless(spoolDir)
      try {
        const sealed = await spool(source, file, { maxBytes, requireRoom, isDurable: false })
        const bytes = { ...sealed, file }
        return {
          ...sealed,
          publish: async ({ isDamaged } = { isDamaged: false }) => {
            const isReplaced = await putBlob(bucket, bytes, isDamaged).catch(refuse)
            if (isReplaced) health.healed += 1
            return isReplaced
          },
          discard: () => file.close(),
        }
      } catch (error) {
        await file.close()
        throw error
      }
    },

    open: (bytes, range) => readBlob(bucket, bytes, range).catch(refuse),

    ping: async () => {
      const one = { Bucket: bucket.name, Prefix: bucket.prefix, MaxKeys: 1 }
      await bucket.onceClient.send(new ListObjectsV2Command(one))
    },

    remove: (sha256) => remove(bucket, sha256, wait).catch(refuse),

    removeUnpublished: ({ olderThanMs }) => abortUploads(bucket, olderThanMs).catch(refuse),

    list: () => list(bucket),
  }
}

/** A file that is gone once it is closed, or its process is. */
async function openNameless(folder: string): Promise<FileHandle> {
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx+')
  await rm(path)
  return file
}

const removal = {
  attemptsMax: 6,
  /** A removal without an answer may still be carried out; by then it was, or never will be. */
  unansweredMs: 10_000,
  pauseMs: 200,
}

/** Removes a blob, and is sure that no removal of it is still on its way when it returns. */
async function remove(bucket: S3Bucket, sha256: string, wait: Wait): Promise<void> {
  const command = new DeleteObjectCommand({ Bucket: bucket.name, Key: keyOf(bucket, sha256) })
  for (let attempt = 1; ; attempt += 1) {
    try {
      await bucket.onceClient.send(command)
      return
    } catch (error) {
      const isAnswered = statusOf(error) !== undefined
      await wait(isAnswered ? removal.pauseMs * 2 ** attempt : removal.unansweredMs)
      if (attempt === removal.attemptsMax) throw error
    }
  }
}

async function abortUploads(bucket: S3Bucket, olderThanMs: number): Promise<void> {
  for await (const { Key, UploadId, Initiated } of listUploads(bucket)) {
    const age = Date.now() - (Initiated?.getTime() ?? 0)
    if (Key === undefined || age < olderThanMs) continue
    const isOurs = digestOf(bucket, Key) !== undefined || Key.startsWith(`${bucket.prefix}trash/`)
    if (!isOurs) continue
    try {
      const upload = { Bucket: bucket.name, Key, UploadId }
      await bucket.client.send(new AbortMultipartUploadCommand(upload))
    } catch (error) {
      if (nameOf(error) !== 'NoSuchUpload') throw error
    }
  }
}

async function* listUploads({ client, name, prefix }: S3Bucket): AsyncGenerator<MultipartUpload> {
  let after: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {}
  while (after !== undefined) {
    const found: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket: name, Prefix: prefix, ...after }),
    )
    yield* found.Uploads ?? []
    after = found.IsTruncated
      ? { KeyMarker: found.NextKeyMarker!, UploadIdMarker: found.NextUploadIdMarker! }
      : undefined
  }
}

async function* list(bucket: S3Bucket): ReturnType<Blobs['list']> {
  const pages = paginateListObjectsV2(bucket, { Bucket: bucket.name, Prefix: bucket.prefix })
  try {
    for await (const { Contents = [] } of pages) {
      for (const { Key, Size } of Contents) {
        const sha256 = digestOf(bucket, Key!)
        if (sha256 !== undefined) yield { sha256, size: Size! }
      }
    }
  } catch (error) {
    refuse(error)
  }
}
