/** One row of an export, by the names of its columns. */
export type Row = Record<string, unknown>

/** The rows of NDJSON. Lines end in LF alone: other line breaks of Unicode may stand in a value. */
export async function* rowsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const piece of bytes) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield JSON.parse(line) as Row
  }
  if (rest !== '') yield JSON.parse(rest) as Row
}
