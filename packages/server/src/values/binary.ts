import type { BinaryField } from '@vitrine/contract'
import { mimeHeadBytes } from '@vitrine/rows/detect-mime'
import type { Conformed, SentBytes, SentValue, StoredType } from './stored-type.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { declaredMime, mimeOfHead, resolveMime } from './media-type.ts'

/** A cell is the sha256 of the bytes. */
export const binary: StoredType = {
  conform: (field, sent, into) => conformBinary(field as BinaryField, sent, into),
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
  if (!declared.ok) return declared
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

/** Ends taking in a value that turned out not to conform. */
class InvalidBinary extends Error {
  override name = 'Unfit'
}

/** Shows the first bytes to `look`, once, before any of them goes on. */
async function* watchHead(
  bytes: SentBytes,
  look: (head: Buffer) => Promise<void>,
): AsyncGenerator<Buffer, void, undefined> {
  let head = Buffer.alloc(0)
  let waiting: Buffer[] | undefined = []
  for await (const chunk of bytes) {
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
