import { resolve } from 'node:path'

/** A bucket, or a part of one, at AWS or at another server that speaks S3. */
export type S3Address = {
  bucket: string
  /** The prefix of every key: empty, or ending with a slash. */
  prefix: string
  /** Undefined is AWS. */
  endpoint: string | undefined
  /** Undefined is what the AWS SDK finds in its environment. */
  region: string | undefined
}

/** Address of the blobs. */
export type BlobAddress = ({ engine: 's3' } & S3Address) | { engine: 'files'; folder: string }

export const blobAddressForm =
  'must be like file:./blobs or s3://bucket/prefix?endpoint=https://s3.example.org&region=eu-1'

/** `file:./blobs` is taken relative to the working folder. Undefined for what is no such address. */
export function parseBlobAddress(text: string): BlobAddress | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol === 'file:') {
    return { engine: 'files', folder: resolve(text.replace(/^\w+:(?:\/\/(?=\/))?/, '')) }
  }
  return url.protocol === 's3:' ? parseS3Address(url) : undefined
}

/** Returns an address as people write it. */
export function showBlobAddress(address: BlobAddress): string {
  return address.engine === 'files'
    ? address.folder
    : `s3://${address.bucket}/${address.prefix}${address.endpoint === undefined ? '' : ` at ${address.endpoint}`}`
}

/** Keys are kept to characters that every server and tool takes as they are. */
const prefixPattern = /^(?:[\w!.*'()-]+\/)*$/

function parseS3Address(url: URL): BlobAddress | undefined {
  const { hostname: bucket, username, password, port, hash, searchParams } = url
  const prefix = url.pathname.replace(/^\/+/, '').replace(/(?<=[^/])\/*$/, '/')
  const endpoint = searchParams.get('endpoint') ?? undefined
  const isWhole =
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) &&
    prefixPattern.test(prefix) &&
    // Credentials in an address end up in logs: the SDK's own variables and files have places for them.
    [username, password, port, hash].every((part) => part === '') &&
    [...searchParams.keys()].every((name) => /^(?:endpoint|region)$/.test(name)) &&
    (endpoint === undefined || (/^https?:\/\//.test(endpoint) && URL.canParse(endpoint)))
  if (!isWhole) return undefined
  return { engine: 's3', bucket, prefix, endpoint, region: searchParams.get('region') ?? undefined }
}
