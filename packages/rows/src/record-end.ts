/**
 * Where the last whole record in a text ends whose line breaks may stand in quotes: a record ends with an
 * even number of them. 0 when there is none.
 */
export function endOfLastRecord(text: string, quote: string): number {
  let end = 0
  for (let from = 0, isQuoted = false; ; isQuoted = !isQuoted) {
    const found = text.indexOf(quote, from)
    const to = found === -1 ? text.length : found
    if (!isQuoted && to > from) {
      const last = text.lastIndexOf('\n', to - 1)
      if (last >= from) end = last + 1
    }
    if (found === -1) return end
    from = found + 1
  }
}
