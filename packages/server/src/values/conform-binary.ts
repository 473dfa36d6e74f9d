import type { Readable } from 'node:stream'
import type { BinaryField } from '@vitrine/contract'
import { mediaTypePattern, mimeMatches, octetStream } from '@vitrine/contract/media-type'
import type { Blobs } from '../blobs/blobs.ts'
import type { Conformed, SentValue } from './conformed.ts'
import { passOver } from './read-small-value.ts'
import { beliesMime, mimeOfHead, signatureBytes } from './signatures.ts'

export async function conformBinary(
  field: BinaryField,
  { mime: named, bytes }: Pick<SentValue, 'mime' | 'bytes'>,
  { blobs, maxBytes }: { blobs: Blobs; maxBytes: number },
): Promise<Conformed> {
  const said = saidMime(field, named)
  if (!said.ok) {
    await passOver(bytes)
    return said
  }
  let { mime } = said
  const look = (head: Buffer) => {
    const settled = settleMime(field, said.mime, head)
    if (!settled.ok) throw new Unfit(settled.reason)
    mime = settled.mime
  }
  try {
    const blob = await blobs.receive(watchHead(bytes, look), { maxBytes })
    const { sha256, size } = blob
    return { ok: true, blob, value: { type: 'binary', cell: sha256, sha256, size, mime } }
  } catch (error) {
    if (error instanceof Unfit) return { ok: false, reason: error.message }
    throw error
  }
}

type Settled = { ok: true; mime: string } | { ok: false; reason: string }

/** The media type that a value is said to have, where a field takes it. */
export function saidMime(field: BinaryField, named: string | undefined): Settled {
  const mime = named?.split(';')[0]?.trim().toLowerCase() ?? octetStream
  if (mime !== octetStream && !(mediaTypePattern.test(mime) && mimeMatches(field.mime, mime))) {
    return { ok: false, reason: `must be ${field.mime}, not ${shorten(mime)}` }
  }
  return { ok: true, mime }
}

/** The media type of a value by what is said of it and by its first bytes, `signatureBytes` of them. */
export function settleMime(field: BinaryField, said: string, head: Buffer): Settled {
  const mime = mimeOf(field, said, head)
  if (!mimeMatches(field.mime, mime)) {
    return { ok: false, reason: `must be ${field.mime}, and say which` }
  }
  if (beliesMime(head, mime)) {
    return { ok: false, reason: `is not ${mime}, going by its first bytes` }
  }
  return { ok: true, mime }
}

/** Ends taking in a value that turned out not to conform. */
class Unfit extends Error {
  override name = 'Unfit'
}

/** `application/octet-stream` says that the sender does not know: the schema does, or the bytes do. */
function mimeOf({ mime: pattern }: BinaryField, said: string, head: Buffer): string {
  if (said !== octetStream) return said
  return pattern.endsWith('/*') ? (mimeOfHead(head) ?? said) : pattern.toLowerCase()
}

/** Shows the first bytes to `look`, once, before any of them goes on. */
async function* watchHead(
  bytes: Readable,
  look: (head: Buffer) => void,
): AsyncGenerator<Buffer, void, undefined> {
  let head = Buffer.alloc(0)
  let waiting: Buffer[] | undefined = []
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    if (waiting === undefined) {
      yield chunk
      continue
    }
    waiting.push(chunk)
    head = Buffer.concat([head, chunk.subarray(0, signatureBytes - head.length)])
    if (head.length < signatureBytes) continue
    look(head)
    yield* waiting
    waiting = undefined
  }
  if (waiting === undefined) return
  look(head)
  yield* waiting
}

function shorten(mime: string): string {
  return mime.length > 64 ? `${mime.slice(0, 63)}…` : mime
}
