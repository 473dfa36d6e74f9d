import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { hash, randomUUID } from 'node:crypto'
import { ConfigError } from '../config.ts'
import type { S3Address } from './address.ts'
import { explainBucket, requireWorkingBucket } from './require-working-bucket.ts'
import { connectS3, type S3Bucket } from './s3-bucket.ts'
import { copyObject } from './s3-copy.ts'
import { statusOf } from './s3-failure.ts'

const text = 'Written by vitrine doctor, and removed at once.'
const checksum = hash('sha256', text, 'base64')

/** Time that a store's first reply gives, and the moment at which it came, in ms since 1970. */
export type BucketClock = { date: string; at: number }

/**
 * Does once in a bucket what keeping blobs takes: checksums, parts, ranges, copies. More than a start
 * tries, which does not need all of it at once. Conditions are not needed (docs/decisions/blobs.md).
 * @returns the store's clock, where it says it
 * @throws ConfigError saying what the store does not do
 */
export async function examineBucket(address: S3Address): Promise<BucketClock | undefined> {
  const bucket = connectS3(address)
  const clock = readClockOf(bucket)
  await requireWorkingBucket(bucket, address)
  const key = `${bucket.prefix}check-${randomUUID()}`
  try {
    await examineObject(bucket, key)
    await examineParts(bucket, `${key}.parts`)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(explainBucket(error, address), { cause: error })
  } finally {
    for (const Key of [key, `${key}.copy`, `${key}.other`, `${key}.parts`]) {
      const command = new DeleteObjectCommand({ Bucket: bucket.name, Key })
      await bucket.client.send(command).catch(() => {})
    }
  }
  return clock()
}

async function examineObject(bucket: S3Bucket, key: string): Promise<void> {
  const { client, name: Bucket } = bucket
  const put = { Bucket, Body: text, ChecksumSHA256: checksum }
  await client.send(new PutObjectCommand({ ...put, Key: key }))
  const others = hash('sha256', 'something else', 'base64')
  const other = { ...put, Key: `${key}.other`, ChecksumSHA256: others }
  const isTaken = await client.send(new PutObjectCommand(other)).then(
    () => true,
    (error: unknown) => {
      if ((statusOf(error) ?? 500) >= 500) throw error
      return false
    },
  )
  if (isTaken) {
    throw lacking('takes bytes that are not those of the x-amz-checksum-sha256 sent with them')
  }
  const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket, Key: key }))
  const range = { Bucket, Key: key, Range: 'bytes=8-9' }
  const { Body } = await client.send(new GetObjectCommand(range))
  if (ContentLength !== text.length || (await Body!.transformToString()) !== text.slice(8, 10)) {
    throw lacking('does not answer sizes or ranges as it must')
  }
  await copyObject(bucket, { from: key, to: `${key}.copy`, size: text.length })
}

async function examineParts({ client, name: Bucket }: S3Bucket, Key: string): Promise<void> {
  const create = { Bucket, Key, ChecksumAlgorithm: 'SHA256' } as const
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(create))
  const target = { Bucket, Key, UploadId }
  try {
    const part = { ...target, PartNumber: 1, Body: text, ChecksumSHA256: checksum }
    const { ETag } = await client.send(new UploadPartCommand(part))
    const Parts = [{ PartNumber: 1, ETag, ChecksumSHA256: checksum }]
    const whole = { ...target, MultipartUpload: { Parts } }
    await client.send(new CompleteMultipartUploadCommand(whole))
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand(target)).catch(() => {})
    throw error
  }
}

function lacking(what: string): ConfigError {
  return new ConfigError(`The S3 store ${what}: use another, or a newer version of it.`)
}

/** Notes the first `Date` that the store answers. */
function readClockOf({ client }: S3Bucket): () => BucketClock | undefined {
  let first: BucketClock | undefined
  client.middlewareStack.add(
    (next) => async (request) => {
      const answered = await next(request)
      const { headers = {} } = answered.response as { headers?: Record<string, string> }
      const date = headers['date']
      if (date !== undefined) first ??= { date, at: Date.now() }
      return answered
    },
    { step: 'deserialize', name: 'readClock' },
  )
  return () => first
}
