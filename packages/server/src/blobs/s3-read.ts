import { GetObjectCommand } from '@aws-sdk/client-s3'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ByteRange } from './blobs.ts'
import { keyOf, type S3Bucket } from './s3-bucket.ts'

/** How often a read goes on after a broken connection without a byte between. */
const resumptionsMax = 5
const pauseMs = 100

/** Reads a blob; a connection that breaks is followed by another one from where it broke. */
export async function readBlob(
  bucket: S3Bucket,
  sha256: string,
  range: ByteRange | undefined,
): Promise<Readable> {
  const get = async ({ start, end }: { start: number; end: number | undefined }) => {
    const isWhole = start === 0 && end === undefined
    const { Body, ContentLength } = await bucket.client.send(
      new GetObjectCommand({
        Bucket: bucket.name,
        Key: keyOf(bucket, sha256),
        ...(!isWhole && { Range: `bytes=${start}-${end ?? ''}` }),
      }),
    )
    return { body: Body as Readable, length: ContentLength! }
  }
  let at = range?.start ?? 0
  const first = await get({ start: at, end: range?.end })
  let { body } = first
  const end = at + first.length - 1

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
        body = (await get({ start: at, end })).body
      }
    }
  }
  const bytes = Readable.from(chunks(), { objectMode: false })
  // Of a reader that leaves before it read anything the generator never hears.
  bytes.once('close', () => body.destroy())
  return bytes
}
