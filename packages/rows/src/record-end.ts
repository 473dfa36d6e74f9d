const lineFeed = 0x0a

/**
 * Where the last whole record ends of a delimited file, whose line breaks may stand in quotes: a record ends with an
 * even number of them. 0 when there is none.
 */
export function endOfLastRecord(bytes: Uint8Array, quote: string): number {
  const code = quote.charCodeAt(0)
  let end = 0
  for (let from = 0, isQuoted = false; ; isQuoted = !isQuoted) {
    const found = bytes.indexOf(code, from)
    const to = found === -1 ? bytes.length : found
    if (!isQuoted) {
      const last = bytes.subarray(from, to).lastIndexOf(lineFeed)
      if (last !== -1) end = from + last + 1
    }
    if (found === -1) return end
    from = found + 1
  }
}
