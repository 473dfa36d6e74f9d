/** Source of an import: a file, or a stream of bytes. */
export type ImportSource = Blob | AsyncIterable<Uint8Array>

export type ImportPart = { body: Uint8Array<ArrayBuffer>; isLast: boolean }

/** Takes parts of a file, from where the server has it. */
export type TakePart = (offset: number, bytes: number) => Promise<ImportPart>

/** Thrown where a source cannot be read, or differs from what was sent of it before. */
export class SourceError extends Error {
  override name = 'SourceError'
}

export function partsOf(source: ImportSource): TakePart {
  return source instanceof Blob ? partsOfBlob(source) : partsOfStream(source)
}

function partsOfBlob(blob: Blob): TakePart {
  return async (offset, bytes) => {
    const end = Math.min(offset + bytes, blob.size)
    // Read before it is sent: a file that has changed would look like a server that is not there.
    const body = await blob.slice(offset, end).arrayBuffer().catch(unreadable)
    return { body: new Uint8Array(body), isLast: end === blob.size }
  }
}

/** Keeps what the server may not have got: one part. */
function partsOfStream(source: AsyncIterable<Uint8Array>): TakePart {
  const chunks = source[Symbol.asyncIterator]()
  let rest = new Uint8Array()
  let start = 0
  let isOver = false
  return async (offset, bytes) => {
    if (offset < start) throw new SourceError('The server has lost what was sent: begin again')
    const gathered: Uint8Array[] = [rest]
    let end = start + rest.length
    // One byte more tells whether there is more.
    while (!isOver && end <= offset + bytes) {
      const next = await chunks.next()
      isOver = next.done === true
      if (next.done === true) break
      // Of an import that goes on, what the server has is passed over.
      if (end + next.value.length <= offset) gathered.length = 0
      gathered.push(next.value)
      end += next.value.length
    }
    if (end < offset) {
      throw new SourceError('The server has more of an import of this key than there is to send')
    }
    rest = concatenate(gathered, end - offset)
    start = offset
    return { body: rest.slice(0, bytes), isLast: isOver && rest.length <= bytes }
  }
}

/** The last `length` bytes of some. */
function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(length)
  let at = length
  for (const chunk of chunks.toReversed()) {
    const taken = chunk.subarray(Math.max(0, chunk.length - at))
    at -= taken.length
    joined.set(taken, at)
  }
  return joined
}

function unreadable(cause: unknown): never {
  throw new SourceError(
    'The file cannot be read any more: it was changed or removed. Choose it again',
    { cause },
  )
}

const MiB = 1024 * 1024

/** Parts of a file: small enough to be held, large enough that a slow reply to each costs little. */
export const partBytes = { first: MiB, most: 16 * MiB }

/** A part is to take this long, so that progress shows and an interruption costs little. */
const wantedMs = 1000

/** How large the next part is, after one that took so long; it at most doubles. */
export function nextPartBytes(bytes: number, tookMs: number): number {
  const wanted = (bytes / Math.max(tookMs, 1)) * wantedMs
  return Math.round(Math.max(Math.min(wanted, 2 * bytes, partBytes.most), partBytes.first))
}
