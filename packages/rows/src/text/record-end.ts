// Runs wherever blocks of a file are cut.

import type { Dialect } from './parse-delimited.ts'

const [lineFeed, carriageReturn] = [0x0a, 0x0d]

/** The part of a dialect that decides where records end. */
export type RecordEnds = Pick<Dialect, 'quote' | 'escape' | 'comment'>

/**
 * Returns where the last whole record ends of a delimited file, whose line breaks may stand in quotes: a record ends
 * with an even number of them. 0 when there is none.
 */
export function endOfLastRecord(bytes: Uint8Array, { quote, escape, comment }: RecordEnds): number {
  if (comment !== undefined || escape !== undefined) {
    return endOfEachRecord(bytes, { quote, escape, comment })
  }
  if (quote === '') return endOfLastLine(bytes, 0, bytes.length)
  const code = quote.charCodeAt(0)
  let end = 0
  for (let from = 0, isQuoted = false; ; isQuoted = !isQuoted) {
    const at = bytes.indexOf(code, from)
    const to = at === -1 ? bytes.length : at
    if (!isQuoted) end = endOfLastLine(bytes, from, to) || end
    if (at === -1) return end
    from = at + 1
  }
}

/** Returns the same, read record by record: quotes in comments mean nothing, nor do those that are escaped. */
function endOfEachRecord(
  bytes: Uint8Array,
  { quote, escape = '', comment = '' }: RecordEnds,
): number {
  const codes = { quote: quote.charCodeAt(0), escape: escape.charCodeAt(0) }
  const none = { quote: Number.NaN, escape: Number.NaN }
  const prefix = new TextEncoder().encode(comment)
  let end = 0
  for (;;) {
    const isComment =
      prefix.length > 0 && prefix.every((byte, index) => bytes[end + index] === byte)
    const next = endOfRecordAt(bytes, end, isComment ? none : codes)
    if (next === undefined) return end
    end = next
  }
}

/** Returns where the record ends that begins at a place; undefined where that is not known. */
function endOfRecordAt(
  bytes: Uint8Array,
  from: number,
  { quote, escape }: { quote: number; escape: number },
): number | undefined {
  let isQuoted = false
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte === escape) {
      // Both halves of a line end are escaped.
      const isPair = bytes[at + 1] === carriageReturn && bytes[at + 2] === lineFeed
      at += isPair ? 2 : 1
    } else if (byte === quote) isQuoted = !isQuoted
    else if (!isQuoted && byte === lineFeed) return at + 1
    else if (!isQuoted && byte === carriageReturn) {
      // What follows the last byte may be the other half of its line end.
      if (at + 1 === bytes.length) return undefined
      return bytes[at + 1] === lineFeed ? at + 2 : at + 1
    }
  }
  return undefined
}

/** Returns where the last line between two places ends, by any line end; 0 where none does. */
function endOfLastLine(bytes: Uint8Array, from: number, to: number): number {
  const lastFeed = bytes.subarray(from, to).lastIndexOf(lineFeed)
  if (lastFeed !== -1) return from + lastFeed + 1
  // As above.
  const lastReturn = bytes
    .subarray(from, Math.min(to, bytes.length - 1))
    .lastIndexOf(carriageReturn)
  return lastReturn === -1 ? 0 : from + lastReturn + 1
}

/** Returns where the line at a place ends: behind its line end, or with the bytes. */
export function endOfLineAt(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] === lineFeed) return at + 1
    if (bytes[at] === carriageReturn) return bytes[at + 1] === lineFeed ? at + 2 : at + 1
  }
  return bytes.length
}
