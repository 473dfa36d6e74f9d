import { hash, randomUUID } from 'node:crypto'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { type S3Address, ConfigError } from '../../config.ts'
import { type S3Bucket, connectS3, nameOf, retryAccidents, statusOf } from './bucket.ts'
import { copyObject } from './copy.ts'

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

/**
 * Lists, puts, reads and removes once. A store that is set up wrongly, or that does not keep what it is
 * given, is known at the start and not by the first upload.
 * @throws ConfigError saying what to change
 */
export async function requireWorkingBucket(bucket: S3Bucket, address: S3Address): Promise<void> {
  try {
    await retryAccidents(() => tryOnce(bucket))
  } catch (error) {
    throw new ConfigError(explainBucket(error, address), { cause: error })
  }
}

async function tryOnce({ name: Bucket, prefix, client }: S3Bucket): Promise<void> {
  const target = { Bucket, Key: `${prefix}check-${randomUUID()}` }
  const text = 'Written by Vitrine at its start, and removed at once.'
  await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 }))
  await client.send(new PutObjectCommand({ ...target, Body: text, IfNoneMatch: '*' }))
  const { Body } = await client.send(new GetObjectCommand(target))
  const stored = await Body!.transformToString()
  await client.send(new DeleteObjectCommand(target))
  if (stored !== text) throw new Error('it does not give back the bytes that it was given')
}

const credentialNames = [
  'AccessDenied',
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidToken',
  'SignatureDoesNotMatch',
]
const regionNames = [
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
  'PermanentRedirect',
]

function explainBucket(error: unknown, { bucket, prefix, endpoint }: S3Address): string {
  const where = endpoint ?? 'AWS'
  const message = error instanceof Error ? error.message : String(error)
  const name = nameOf(error)
  if (name === 'CredentialsProviderError') {
    return 'There are no credentials for the S3 store of VITRINE_BLOB_URL: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or any other of the AWS SDK’s ways.'
  }
  if (name === 'NoSuchBucket') {
    return `There is no bucket ${bucket} at ${where}: create it, or name another one in VITRINE_BLOB_URL.`
  }
  if (credentialNames.includes(name) || [401, 403].includes(statusOf(error) ?? 0)) {
    return `The S3 store at ${where} refuses the credentials for s3://${bucket}/${prefix} (${name}): check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that they may list, read, write and delete there.`
  }
  if (regionNames.includes(name) || message === 'Region is missing') {
    return `The region for the bucket ${bucket} is not right (${message}): name it in VITRINE_BLOB_URL as region=….`
  }
  if (statusOf(error) === undefined) {
    return `The S3 store at ${where} cannot be used (${message || name}): check the endpoint in VITRINE_BLOB_URL, and that the store runs.`
  }
  return `The S3 store at ${where} cannot be used for s3://${bucket}/${prefix}: it says ${name}, ${message}`
}
