import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { randomUUID } from 'node:crypto'
import { ConfigError } from '../config.ts'
import type { S3Address } from './address.ts'
import { retryAccidents } from './retry-accidents.ts'
import type { S3Bucket } from './s3-bucket.ts'
import { nameOf, statusOf } from './s3-failure.ts'

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
  const kept = await Body!.transformToString()
  await client.send(new DeleteObjectCommand(target))
  if (kept !== text) throw new Error('it does not give back the bytes that it was given')
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

export function explainBucket(error: unknown, { bucket, prefix, endpoint }: S3Address): string {
  const where = endpoint ?? 'AWS'
  const said = error instanceof Error ? error.message : String(error)
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
  if (regionNames.includes(name) || said === 'Region is missing') {
    return `The region for the bucket ${bucket} is not right (${said}): name it in VITRINE_BLOB_URL as region=….`
  }
  if (statusOf(error) === undefined) {
    return `The S3 store at ${where} cannot be used (${said || name}): check the endpoint in VITRINE_BLOB_URL, and that the store runs.`
  }
  return `The S3 store at ${where} cannot be used for s3://${bucket}/${prefix}: it says ${name}, ${said}`
}
