// Runs where a file is read: on the main thread of the server, in browsers, on the command line.

import { limits } from '@vitrine/contract/limits'
import { type RecordEnds, endOfLastRecord } from './record-end.ts'

/** Whole rows, and where they end in the file. */
export type TextBlock = {
  /** In memory of their own. */
  content: Uint8Array<ArrayBuffer>
  end: number
  /** Whether it is the beginning of a row that goes on for longer than a row may. */
  isCut: boolean
}

/** Returns where the last whole row in some bytes ends; 0 when there is none. */
export type FindEnd = (bytes: Uint8Array) => number

const lineFeed = 0x0a

export const endOfLine: FindEnd = (bytes) => bytes.lastIndexOf(lineFeed) + 1

/** Finds the end of the last record of CSV or TSV, whose line breaks may be in quotes. */
export const endOfRecord =
  (dialect: RecordEnds): FindEnd =>
  (bytes) =>
    endOfLastRecord(bytes, dialect)

/** In bytes; the line break of a row is counted. */
export type BlockSizes = { block: number; rowMax: number }

/**
 * A text of this size V8 still keeps among what is new; a larger one it collects at its most expensive, if it
 * outlives one collection.
 */
export const usualBlocks: BlockSizes = { block: 96 * 1024, rowMax: limits.rowBytes }

/**
 * Cuts a file where rows end. At a row that goes on for longer than a row may, it ends.
 * @param free gives back the memory of bytes that are not needed any more
 */
export async function* cutBlocks(
  source: AsyncIterable<Uint8Array>,
  {
    findEnd,
    start,
    sizes = usualBlocks,
    free = () => {},
  }: {
    findEnd: FindEnd
    start: number
    sizes?: BlockSizes
    free?: (bytes: Uint8Array) => void
  },
): AsyncGenerator<TextBlock> {
  const { block, rowMax } = sizes
  let gathered: Uint8Array[] = []
  let gatheredBytes = 0
  let wanted = block
  let position = start
  const take = (bytes: Uint8Array<ArrayBuffer>, isCut: boolean): TextBlock => {
    position += bytes.length
    return { content: bytes.slice(), end: position, isCut }
  }
  for await (const chunk of source) {
    gathered.push(chunk)
    gatheredBytes += chunk.length
    if (gatheredBytes < wanted) continue
    const bytes = concat(gathered, gatheredBytes)
    for (const each of gathered) free(each)
    let rest = bytes
    while (rest.length >= block) {
      const end = findEnd(rest.subarray(0, block)) || findEnd(rest.subarray(0, rowMax))
      if (end === 0) break
      yield take(rest.subarray(0, end), false)
      rest = rest.subarray(end)
    }
    if (rest.length > rowMax) {
      yield take(rest.subarray(0, endOfCharacter(rest, rowMax)), true)
      return
    }
    gathered = [rest.slice()]
    gatheredBytes = rest.length
    free(bytes)
    // Looking again at every chunk would take time that grows with the square of the row.
    wanted = Math.max(block, Math.min(gatheredBytes * 2, rowMax + 1))
  }
  if (gatheredBytes > 0) yield take(concat(gathered, gatheredBytes), false)
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** Returns where a character ends, at `at` or before it (RFC 3629 §3). */
function endOfCharacter(bytes: Uint8Array, at: number): number {
  let end = at
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1
  return end
}
