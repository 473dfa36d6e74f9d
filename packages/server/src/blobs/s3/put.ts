import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import {
  type CompletedPart,
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { ByteBudget } from '../../runtime/byte-budget.ts'
import { type S3Bucket, isConflict, isMissing, keyOf, nameOf, statusOf } from './bucket.ts'
import type { Sealed } from '../spool.ts'

const mebibyte = 1024 ** 2

/**
 * Size above which an object is asked for before it is sent. A store that has it may reply before it has read it, and
 * hang up; its reply is lost then to a client that is still sending.
 */
const sentUnaskedMax = 64 * 1024
/** Larger objects are uploaded in parts. */
const partBytesMin = 8 * mebibyte
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const partsMax = 10_000
/** Parts of one upload under way at once. */
const partsAtOnce = 4
/** How often a key may change hands before it counts as a fault. */
const roundsMax = 10

/** Bytes that are on their way from this process, whatever asks for it. */
const budget = new ByteBudget(64 * mebibyte)

/** Bytes in a file, to be put under their digest. */
export type SpooledBytes = Sealed & { file: FileHandle }

/**
 * Makes sure that the bytes are under their digest. Nobody's bytes are replaced, unless they are none
 * of that digest, or known to be damaged; what another process puts there meanwhile is as good as ours
 * once it is checked.
 * @returns whether something was replaced
 */
export async function putBlob(
  bucket: S3Bucket,
  bytes: SpooledBytes,
  isDamaged: boolean,
): Promise<boolean> {
  const put = bytes.size > partBytesMin ? putInParts : putWhole
  // A small blob is sent sooner than asked for.
  let state = bytes.size > sentUnaskedMax ? await look(bucket, bytes) : 'missing'
  // A store may still have the checksum of bytes that it has no more.
  if (isDamaged) state = 'other'
  for (let round = 0; state !== 'there'; round += 1) {
    const condition = state === 'missing' ? { IfNoneMatch: '*' } : {}
    try {
      await put(bucket, bytes, condition)
      return state === 'other'
    } catch (error) {
      // Somebody else may have put it meanwhile, so that what was answered is lost as well.
      if (statusOf(error) === undefined && (await isThere(bucket, bytes))) return false
      // Of a lost reply that was asked for again: the upload has become the blob.
      const isSettled = isConflict(error) || nameOf(error) === 'NoSuchUpload'
      if (!isSettled || round === roundsMax) throw error
    }
    state = await look(bucket, bytes)
  }
  return false
}

type Condition = { IfNoneMatch?: string }

/** Returns the object under the digest. */
async function look(
  bucket: S3Bucket,
  { sha256, size }: Sealed,
): Promise<'there' | 'missing' | 'other'> {
  try {
    const { ContentLength, ChecksumSHA256 } = await bucket.client.send(
      new HeadObjectCommand({
        Bucket: bucket.name,
        Key: keyOf(bucket, sha256),
        ChecksumMode: 'ENABLED',
      }),
    )
    // That of an upload in parts is made of theirs, and ends with their number.
    const isKnown = ChecksumSHA256 !== undefined && !ChecksumSHA256.includes('-')
    const isSame = !isKnown || ChecksumSHA256 === toBase64(sha256)
    return ContentLength === size && isSame ? 'there' : 'other'
  } catch (error) {
    if (isMissing(error)) return 'missing'
    throw error
  }
}

async function isThere(bucket: S3Bucket, bytes: Sealed): Promise<boolean> {
  try {
    return (await look(bucket, bytes)) === 'there'
  } catch {
    return false
  }
}

async function putWhole(bucket: S3Bucket, bytes: SpooledBytes, condition: Condition) {
  const { file, sha256, size } = bytes
  using _held = await budget.take(size)
  await bucket.client.send(
    new PutObjectCommand({
      Bucket: bucket.name,
      Key: keyOf(bucket, sha256),
      Body: await readExactly(file, 0, size),
      ChecksumSHA256: toBase64(sha256),
      ...condition,
    }),
  )
}

async function putInParts(bucket: S3Bucket, bytes: SpooledBytes, condition: Condition) {
  const target = { Bucket: bucket.name, Key: keyOf(bucket, bytes.sha256) }
  const { UploadId } = await bucket.client.send(
    new CreateMultipartUploadCommand({ ...target, ChecksumAlgorithm: 'SHA256' }),
  )
  const upload = { ...target, UploadId }
  try {
    const Parts = await sendParts(bucket, bytes, upload)
    await bucket.client.send(
      new CompleteMultipartUploadCommand({ ...upload, ...condition, MultipartUpload: { Parts } }),
    )
  } catch (error) {
    // What cannot be aborted now is swept later.
    await bucket.client.send(new AbortMultipartUploadCommand(upload)).catch(() => {})
    throw error
  }
}

type Upload = { Bucket: string; Key: string; UploadId: string | undefined }

/** Reads part after part, hashing them again as they go, while earlier ones are sent. */
async function sendParts(
  bucket: S3Bucket,
  { file, sha256, size }: SpooledBytes,
  upload: Upload,
): Promise<CompletedPart[]> {
  const partBytes = Math.max(partBytesMin, Math.ceil(size / partsMax))
  const whole = createHash('sha256')
  const parts: Promise<CompletedPart>[] = []
  try {
    for (let at = 0; at < size; at += partBytes) {
      const length = Math.min(partBytes, size - at)
      const held = await budget.take(length)
      try {
        const Body = await readExactly(file, at, length)
        whole.update(Body)
        const part = sendPart(bucket, { ...upload, PartNumber: parts.length + 1, Body }, held)
        // Awaited below; this keeps it from counting as unhandled until then.
        part.catch(() => {})
        parts.push(part)
      } catch (error) {
        held[Symbol.dispose]()
        throw error
      }
      await parts.at(-partsAtOnce)
    }
    if (whole.digest('hex') !== sha256) throw new Error('the spooled bytes have changed')
    return await Promise.all(parts)
  } finally {
    await Promise.allSettled(parts)
  }
}

async function sendPart(
  { client }: S3Bucket,
  part: Upload & { PartNumber: number; Body: Buffer },
  held: Disposable,
): Promise<CompletedPart> {
  using _held = held
  const ChecksumSHA256 = createHash('sha256').update(part.Body).digest('base64')
  const { ETag } = await client.send(new UploadPartCommand({ ...part, ChecksumSHA256 }))
  return { PartNumber: part.PartNumber, ETag, ChecksumSHA256 }
}

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  let read = 0
  while (read < length) {
    const { bytesRead } = await file.read(buffer, read, length - read, position + read)
    if (bytesRead === 0) throw new Error('the spooled bytes are cut short')
    read += bytesRead
  }
  return buffer
}

function toBase64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64')
}
