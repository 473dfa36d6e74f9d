import { setTimeout as sleep } from 'node:timers/promises'
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import type { S3Address } from '../../config.ts'
import { Failure } from '../../failure.ts'

/** A part of a bucket, and what talks to it. */
export type S3Bucket = {
  name: string
  /** The prefix of every key. */
  prefix: string
  /** Tries again what failed, with growing pauses. */
  client: S3Client
  /** Tries once: for what must not be under way twice. */
  onceClient: S3Client
}

/** In milliseconds. */
const times = {
  connect: 3_000,
  /** From the last byte of a request to the first one of its reply. */
  answer: 60_000,
  /** Without any byte. */
  silence: 30_000,
}

/** Downloads hold a connection each, as long as the reader takes. */
const connectionsMax = 2_000

export function connectS3({ bucket, prefix, endpoint, region }: S3Address): S3Bucket {
  const options = {
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && {
      endpoint,
      // Bucket names in host names need a DNS entry each.
      forcePathStyle: true,
      // Servers of others rarely check it, and AWS knows them all.
      region: region ?? 'us-east-1',
    }),
    requestHandler: {
      connectionTimeout: times.connect,
      requestTimeout: times.answer,
      throwOnRequestTimeout: true,
      socketTimeout: times.silence,
      httpAgent: { keepAlive: true, maxSockets: connectionsMax },
      httpsAgent: { keepAlive: true, maxSockets: connectionsMax },
    },
    // Otherwise the SDK adds checksums of its own choosing, as trailers that servers of others store
    // as part of the body (https://github.com/aws/aws-sdk-js-v3/issues/6810). We name ours.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: silent,
  } as const
  const client = new S3Client({ ...options, maxAttempts: 6 })
  return {
    name: bucket,
    prefix,
    client,
    onceClient: new S3Client({
      ...options,
      maxAttempts: 1,
      requestHandler: client.config.requestHandler,
      credentials: client.config.credentials,
    }),
  }
}

const pass = () => {}
/** Logs nothing: errors are thrown, and logged where they are caught. */
const silent = { trace: pass, debug: pass, info: pass, warn: pass, error: pass }

export function keyOf({ prefix }: S3Bucket, sha256: string): string {
  return `${prefix}${sha256.slice(0, 2)}/${sha256.slice(2)}`
}

/** The digest that a key is of; undefined for what is no blob of ours. */
export function digestOf({ prefix }: S3Bucket, key: string): string | undefined {
  const [, first, rest] = /^([0-9a-f]{2})\/([0-9a-f]{62})$/.exec(key.slice(prefix.length)) ?? []
  return first === undefined ? undefined : `${first}${rest}`
}

/** The status of a store's answer; undefined when there was none. */
export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}

/** Returns the store's name of an error, such as `NoSuchBucket`. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : String(error)
}

export const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && ['NoSuchKey', 'NotFound'].includes(error.name)

/** Tells whether the store refused because a condition does not hold. */
export const isConflict = (error: unknown): boolean => [409, 412].includes(statusOf(error) ?? 0)

const fullNames = new Set(['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage'])

/** Returns the failure of a request that the store refused. */
export function refuse(error: unknown): never {
  if (error instanceof Failure) throw error
  const isFull =
    statusOf(error) === 507 ||
    fullNames.has(nameOf(error)) ||
    ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
  throw new Failure(isFull ? 'STORAGE_FULL' : 'STORAGE_UNAVAILABLE', { cause: error })
}

/** How often an attempt is made before what broke off, or was answered unseen, counts. */
const attemptsMax = 5
const pauseMs = 200

/** Makes an attempt again where the store's client does not by itself. */
export async function retryAccidents<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = attemptsMax - 1; ; left -= 1) {
    try {
      return await attempt()
    } catch (error) {
      if (left === 0 || !isAccident(error)) throw error
      await sleep(pauseMs)
    }
  }
}

/**
 * Whether an error is transient and the client does not retry by itself: a reply whose bytes break off, and the
 * conflict of a put with itself, when the reply to its first try was lost.
 */
function isAccident(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return isConflict(error) || statusOf(error) === 200 || code === 'ECONNRESET'
}
