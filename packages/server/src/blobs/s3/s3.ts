import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Readable } from 'node:stream'
import {
  type ListMultipartUploadsCommandOutput,
  type MultipartUpload,
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3'
import { privateFolder } from '../../runtime/private-modes.ts'
import type { S3Address } from '../../config.ts'
import { type Blobs, type ByteRange, type Bytes, createBlobHealth } from '../blobs.ts'
import { watchRoom } from '../disk-reserve.ts'
import { requireWorkingBucket } from './examine-bucket.ts'
import {
  type S3Bucket,
  connectS3,
  digestOf,
  isMissing,
  keyOf,
  nameOf,
  refuse,
  statusOf,
} from './bucket.ts'
import { checkpointsInBucket } from './checkpoints.ts'
import { ownerInBucket, trashInBucket } from './trash.ts'
import { putBlob } from './put.ts'
import { spool } from '../spool.ts'
import { missingBytes, otherSize } from '../read-blob.ts'

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
    checkpoints: checkpointsInBucket(bucket),
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
    const uploads: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket: name, Prefix: prefix, ...after }),
    )
    yield* uploads.Uploads ?? []
    after = uploads.IsTruncated
      ? { KeyMarker: uploads.NextKeyMarker!, UploadIdMarker: uploads.NextUploadIdMarker! }
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

/** How often a read goes on after a broken connection without a byte between. */
const resumptionsMax = 5
const pauseMs = 100

/**
 * Reads a blob; a connection that breaks is followed by another one from where it broke.
 * @throws DamagedBlob where the object is gone, or has another size
 */
async function readBlob(
  bucket: S3Bucket,
  bytes: Bytes,
  range: ByteRange | undefined,
): Promise<Readable> {
  const { start, end } = range ?? { start: 0, end: bytes.size - 1 }
  let at = start
  let body = await get(bucket, bytes, { start, end })

  const chunks = async function* () {
    for (let failures = 0; at <= end;) {
      try {
        for await (const chunk of body as AsyncIterable<Buffer>) {
          at += chunk.length
          failures = 0
          yield chunk
        }
        if (at <= end) throw new Error('the store sent less than it said')
      } catch (error) {
        failures += 1
        if (failures > resumptionsMax) throw error
        await sleep(pauseMs * 2 ** failures)
        body = await get(bucket, bytes, { start: at, end })
      }
    }
  }
  const stream = Readable.from(chunks(), { objectMode: false })
  // Of a reader that leaves before it read anything the generator never hears.
  stream.once('close', () => body.destroy())
  return stream
}

async function get(
  bucket: S3Bucket,
  { sha256, size }: Bytes,
  { start, end }: ByteRange,
): Promise<Readable> {
  const isWhole = start === 0 && end === size - 1
  const target = { Bucket: bucket.name, Key: keyOf(bucket, sha256) }
  try {
    const { Body, ContentLength, ContentRange } = await bucket.client.send(
      new GetObjectCommand({ ...target, ...(!isWhole && { Range: `bytes=${start}-${end}` }) }),
    )
    // RFC 9110 §14.4: `bytes 0-9/5000`.
    const total = Number(ContentRange?.split('/')[1] ?? ContentLength)
    if (total === size) return Body as Readable
    ;(Body as Readable).destroy()
    throw otherSize(sha256, total, size)
  } catch (error) {
    if (isMissing(error)) throw missingBytes(sha256, error)
    if (nameOf(error) !== 'InvalidRange') throw error
    const { ContentLength = 0 } = await bucket.client.send(new HeadObjectCommand(target))
    throw otherSize(sha256, ContentLength, size)
  }
}
