import { limits } from '@vitrine/contract'
import type { Dialect } from '@vitrine/rows/parse-delimited'
import { freeBytes } from '../../free-bytes.ts'

/** Whole rows, and where they end in the file. */
export type Block = {
  /** Their bytes, in memory of their own, or which rows of a file that is not read in its order. */
  content: Uint8Array<ArrayBuffer> | RowRange
  end: number
  /** Whether it is the beginning of a row that goes on for longer than a row may. */
  isCut: boolean
}

/** Rows of a group of rows, which are decoded together; the last ones are left out. */
export type RowRange = { group: { from: number; to: number }; from: number; to: number }

/** Where the last whole row in some bytes ends; 0 when there is none. */
export type FindEnd = (bytes: Buffer) => number

const lineFeed = 0x0a

export const endOfLine: FindEnd = (bytes) => bytes.lastIndexOf(lineFeed) + 1

/** The same where line breaks may stand in quotes: a row ends with an even number of them. */
export const endOfRecord =
  (dialect: Dialect): FindEnd =>
  (bytes) => {
    const quote = dialect.quote.charCodeAt(0)
    let end = 0
    for (let from = 0, isQuoted = false; ; isQuoted = !isQuoted) {
      const found = bytes.indexOf(quote, from)
      const to = found === -1 ? bytes.length : found
      if (!isQuoted) {
        const last = bytes.subarray(from, to).lastIndexOf(lineFeed)
        if (last !== -1) end = from + last + 1
      }
      if (found === -1) return end
      from = found + 1
    }
  }

/** In bytes; the line break of a row is counted. */
export type BlockSizes = { block: number; rowMax: number }

/**
 * A text of this size the engine still keeps among what is new; a larger one it collects at its most
 * expensive, if it outlives one collection.
 */
export const usualBlocks: BlockSizes = { block: 96 * 1024, rowMax: limits.rowBytes }

/**
 * Cuts a file where rows end, and frees its chunks. At a row that goes on for longer than a row may, it
 * ends.
 */
export async function* cutBlocks(
  source: AsyncIterable<Buffer>,
  { findEnd, start, sizes }: { findEnd: FindEnd; start: number; sizes: BlockSizes },
): AsyncGenerator<Block> {
  const { block, rowMax } = sizes
  let gathered: Buffer[] = []
  let gatheredBytes = 0
  let wanted = block
  let position = start
  const take = (bytes: Buffer, isCut: boolean): Block => {
    position += bytes.length
    return { content: new Uint8Array(bytes), end: position, isCut }
  }
  for await (const chunk of source) {
    gathered.push(chunk)
    gatheredBytes += chunk.length
    if (gatheredBytes < wanted) continue
    const bytes = Buffer.concat(gathered)
    for (const each of gathered) freeBytes(each)
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
    gathered = [Buffer.copyBytesFrom(rest)]
    gatheredBytes = rest.length
    freeBytes(bytes)
    // Looking again at every chunk would take time that grows with the square of the row.
    wanted = Math.max(block, Math.min(gatheredBytes * 2, rowMax + 1))
  }
  if (gatheredBytes > 0) yield take(Buffer.concat(gathered), false)
}

/** Where a character ends at `at` or before it (RFC 3629 §3). */
function endOfCharacter(bytes: Buffer, at: number): number {
  let end = at
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1
  return end
}
