import { S3Client } from '@aws-sdk/client-s3'
import type { S3Address } from './address.ts'

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
