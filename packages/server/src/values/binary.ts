import type { Readable } from 'node:stream'
import type { BinaryField } from '@vitrine/contract'
import { mediaTypePattern, mimeMatches, octetStream } from '@vitrine/contract/values/media-type'
import { mimeHeadBytes } from '@vitrine/rows/detect-mime'
import { type Conformed, type SentValue, type StoredType, passOver } from './stored-type.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { beliesMime, mimeOfHead } from './detected-mime.ts'

/** A cell is the sha256 of the bytes. */
export const binary: StoredType = {
  conform: (field, sent, into) => conformBinary(field as BinaryField, sent, into),
  text: (cell) => cell,
  sortKey: (key) => ({ key, kind: 'text' }),
  exported: { kind: 'text', croissant: 'sc:Text' },
  summary: 'binary',
}

async function conformBinary(
  field: BinaryField,
  { mime: named, bytes }: Pick<SentValue, 'mime' | 'bytes'>,
  { blobs, maxBytes }: { blobs: Blobs; maxBytes: number },
): Promise<Conformed> {
  const declared = declaredMime(field, named)
  if (!declared.ok) {
    await passOver(bytes)
    return declared
  }
  let { mime } = declared
  const look = async (head: Buffer) => {
    const settled = resolveMime(field, declared.mime, await mimeOfHead(head))
    if (!settled.ok) throw new InvalidBinary(settled.reason)
    mime = settled.mime
  }
  try {
    const blob = await blobs.receive(watchHead(bytes, look), { maxBytes })
    const { sha256, size } = blob
    return { ok: true, blob, value: { type: 'binary', cell: sha256, sha256, size, mime } }
  } catch (error) {
    if (error instanceof InvalidBinary) return { ok: false, reason: error.message }
    throw error
  }
}

type Settled = { ok: true; mime: string } | { ok: false; reason: string }

/** The media type that a value is said to have, where a field takes it. */
export function declaredMime(field: BinaryField, named: string | undefined): Settled {
  const mime = named?.split(';')[0]?.trim().toLowerCase() ?? octetStream
  if (mime !== octetStream && !(mediaTypePattern.test(mime) && mimeMatches(field.mime, mime))) {
    return { ok: false, reason: `must be ${field.mime}, not ${shorten(mime)}` }
  }
  return { ok: true, mime }
}

/** The media type of a value by what is said of it and by what its first bytes tell. */
export function resolveMime(
  field: BinaryField,
  declared: string,
  detected: string | undefined,
): Settled {
  const mime = mimeOf(field, declared, detected)
  if (!mimeMatches(field.mime, mime)) {
    return { ok: false, reason: `must be ${field.mime}, and say which` }
  }
  if (beliesMime(detected, mime)) {
    const other = detected === undefined ? '' : `, but ${detected}`
    return { ok: false, reason: `is not ${mime}${other}, going by its first bytes` }
  }
  return { ok: true, mime }
}

/** Ends taking in a value that turned out not to conform. */
class InvalidBinary extends Error {
  override name = 'Unfit'
}

/** `application/octet-stream` says that the sender does not know: the schema does, or the bytes do. */
function mimeOf(
  { mime: pattern }: BinaryField,
  declared: string,
  detected: string | undefined,
): string {
  if (declared !== octetStream) return declared
  return pattern.endsWith('/*') ? (detected ?? declared) : pattern.toLowerCase()
}

/** Shows the first bytes to `look`, once, before any of them goes on. */
async function* watchHead(
  bytes: Readable,
  look: (head: Buffer) => Promise<void>,
): AsyncGenerator<Buffer, void, undefined> {
  let head = Buffer.alloc(0)
  let waiting: Buffer[] | undefined = []
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    if (waiting === undefined) {
      yield chunk
      continue
    }
    waiting.push(chunk)
    head = Buffer.concat([head, chunk.subarray(0, mimeHeadBytes - head.length)])
    if (head.length < mimeHeadBytes) continue
    await look(head)
    yield* waiting
    waiting = undefined
  }
  if (waiting === undefined) return
  await look(head)
  yield* waiting
}

function shorten(mime: string): string {
  return mime.length > 64 ? `${mime.slice(0, 63)}…` : mime
}
