import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bytes, ByteRange } from './blobs.ts'
import { missingBytes, otherSize } from './damaged-blob.ts'
import { keyOf, type S3Bucket } from './s3-bucket.ts'
import { isMissing, nameOf } from './s3-failure.ts'

/** How often a read goes on after a broken connection without a byte between. */
const resumptionsMax = 5
const pauseMs = 100

/**
 * Reads a blob; a connection that breaks is followed by another one from where it broke.
 * @throws DamagedBlob where the object is gone, or has another size
 */
export async function readBlob(
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
    const found = Number(ContentRange?.split('/')[1] ?? ContentLength)
    if (found === size) return Body as Readable
    ;(Body as Readable).destroy()
    throw otherSize(sha256, found, size)
  } catch (error) {
    if (isMissing(error)) throw missingBytes(sha256, error)
    if (nameOf(error) !== 'InvalidRange') throw error
    const { ContentLength = 0 } = await bucket.client.send(new HeadObjectCommand(target))
    throw otherSize(sha256, ContentLength, size)
  }
}
