import { hashBytes, type Range } from './tree.ts'

// A log of which only some entries are at hand. In the order of the log, each part is either
//
//   0xFF, the hash of an entry (32 bytes), how long the entry is (16 bits, the higher byte first), the entry
//   n, from 0 to 62, and the root of a complete subtree of 2^n entries that are left out (32 bytes); so many
//   entries stand before it that they are a multiple of 2^n
//
// Together they give the root of the whole tree (RFC 6962 §2.1), and so prove each of the entries at once.

/** An entry with the hash that the log has of it, or entries that are left out, with the root over them. */
export type LogPart =
  | { kind: 'entry'; leaf: Uint8Array; entry: Uint8Array<ArrayBuffer> }
  | { kind: 'omitted'; entries: number; root: Uint8Array }

const entryMark = 0xff
const exponentMax = 62
const headBytes = 1 + hashBytes
const lengthBytes = 2

export function writeLogPart(part: LogPart): Uint8Array<ArrayBuffer> {
  if (part.kind === 'omitted') {
    const bytes = new Uint8Array(headBytes)
    bytes[0] = Math.log2(part.entries)
    bytes.set(part.root, 1)
    return bytes
  }
  const { leaf, entry } = part
  const bytes = new Uint8Array(headBytes + lengthBytes + entry.length)
  bytes[0] = entryMark
  bytes.set(leaf, 1)
  new DataView(bytes.buffer).setUint16(headBytes, entry.length)
  bytes.set(entry, headBytes + lengthBytes)
  return bytes
}

/**
 * Reads the parts of a log as `writeLogPart` writes them.
 * @throws Error where it is none, or is cut off
 */
export async function* readLogParts(
  file: AsyncIterable<Uint8Array>,
): AsyncGenerator<LogPart, void, undefined> {
  let held = new Uint8Array()
  for await (const piece of file) {
    const bytes = new Uint8Array(held.length + piece.length)
    bytes.set(held)
    bytes.set(piece, held.length)
    let at = 0
    for (;;) {
      const end = endOfPart(bytes, at)
      if (end === undefined || end > bytes.length) break
      yield readPart(bytes.subarray(at, end))
      at = end
    }
    held = bytes.slice(at)
  }
  if (held.length > 0) throw new Error('it is cut off')
}

/** Returns where a part ends; undefined while that is not known. */
function endOfPart(bytes: Uint8Array<ArrayBuffer>, at: number): number | undefined {
  if (at >= bytes.length) return undefined
  const mark = bytes[at]!
  if (mark <= exponentMax) return at + headBytes
  if (mark !== entryMark) throw new Error('it has a part of an unknown kind')
  const lengthAt = at + headBytes
  if (lengthAt + lengthBytes > bytes.length) return undefined
  return lengthAt + lengthBytes + new DataView(bytes.buffer).getUint16(lengthAt)
}

function readPart(bytes: Uint8Array<ArrayBuffer>): LogPart {
  const mark = bytes[0]!
  const hash = bytes.slice(1, headBytes)
  if (mark !== entryMark) return { kind: 'omitted', entries: 2 ** mark, root: hash }
  return { kind: 'entry', leaf: hash, entry: bytes.slice(headBytes + lengthBytes) }
}

/** Cuts entries into the complete subtrees that they are, as few as there can be. */
export function completeSubtrees({ from, to }: Range): Range[] {
  const ranges: Range[] = []
  for (let at = from; at < to;) {
    let width = 1
    while (at % (width * 2) === 0 && at + width * 2 <= to) width *= 2
    ranges.push({ from: at, to: at + width })
    at += width
  }
  return ranges
}
