import { cutBlocks, endOfLine, endOfRecord, usualBlocks, type FindEnd } from './cut-blocks.ts'
import { decodeBlock } from './decode-block.ts'
import { detectDelimiter } from './detect-delimiter.ts'
import { jsonLines } from './json-lines.ts'
import { dialectOf, type Dialect } from './parse-delimited.ts'
import { preambleMax, readPreamble, skipsTooMuch } from './preamble.ts'
import { readDelimited, readHeader } from './read-delimited.ts'
import { prepareNdjson } from './read-ndjson.ts'
import type { ReadOptions, TextFormat } from './read-rows.ts'
import { endOfLineAt } from './record-end.ts'
import { UnreadableFile, type RowBatch, type SourceRow } from './row-batch.ts'
import { sayTooLong, type ReadBlock } from './row-block.ts'
import { TextSource } from './text-source.ts'

/** Rows of a block, and how it was read. */
type BlockRows = ReadBlock & { rows: SourceRow[] }

type BlockReader = {
  /** The names of the columns found so far. */
  readonly columns: readonly string[]
  /** Reads a block that begins on a line, counted from 1. */
  read: (block: Uint8Array, line: number) => BlockRows
}

/** In bytes; whoever reads in another thread is sent a message for each. */
const sizes = { ...usualBlocks, block: 1024 * 1024 }

/**
 * Reads the rows of a file of text, block by block.
 * @throws UnreadableFile
 */
export async function* readText(
  file: Blob,
  { format, ...said }: Omit<ReadOptions, 'format'> & { format: TextFormat },
): AsyncGenerator<RowBatch, void, undefined> {
  const source = new TextSource(file)
  if (format === 'ndjson') return yield* readBlocks(source.text(), { source, open: ndjsonReader })
  if (format === 'json') {
    const text = jsonLines(source.text())
    return yield* readBlocks(text, { source, open: ndjsonReader, place: 'Row' })
  }
  const { text, lines, delimiter } = await withoutPreamble(source.text(), said.skip)
  const usual = dialectOf(format, said)
  let found = said.delimiter ?? delimiter
  const open = (block: Uint8Array): BlockReader => {
    found ??= detectDelimiter(decodeBlock(block, endOfLineAt).text, usual)
    return delimitedReader({ ...usual, delimiter: found })
  }
  const blocks = readBlocks(text, { source, open, findEnd: endOfRecord(usual), line: lines + 1 })
  for await (const batch of blocks) yield { ...batch, delimiter: found! }
}

type BlockReading = {
  source: TextSource
  open: (block: Uint8Array) => BlockReader
  findEnd?: FindEnd
  /** The line that the text begins on, counted from 1. */
  line?: number
  /** What a place in the file is called. */
  place?: 'Line' | 'Row'
}

async function* readBlocks(
  text: AsyncIterable<Uint8Array>,
  { source, open, findEnd = endOfLine, line: first = 1, place = 'Line' }: BlockReading,
): AsyncGenerator<RowBatch, void, undefined> {
  let reader: BlockReader | undefined
  let line = first
  for await (const { content, isCut } of cutBlocks(text, { findEnd, start: 0, sizes })) {
    reader ??= open(content)
    const { rows, lines, unreadable } = reader.read(content, line)
    if (isCut) throw new UnreadableFile(sayTooLong(unreadable), { place: `${place} ${line}` })
    if (unreadable !== undefined) {
      throw new UnreadableFile(unreadable.reason, { place: `${place} ${line + unreadable.line}` })
    }
    line += lines
    yield { columns: reader.columns, rows, bytes: source.bytesRead }
  }
}

/** Reads the lines before that of names, and the text after them. */
async function withoutPreamble(
  text: AsyncGenerator<Uint8Array>,
  skip = 0,
): Promise<{ text: AsyncIterable<Uint8Array>; lines: number; delimiter?: string | undefined }> {
  let head = new Uint8Array()
  let isWhole = false
  while (head.length < preambleMax && !isWhole) {
    const { value, done } = await text.next()
    if (done === true) isWhole = true
    else
      head = new Uint8Array(await new Blob([head, value as Uint8Array<ArrayBuffer>]).arrayBuffer())
  }
  const preamble = readPreamble(head, skip)
  if (preamble === undefined) {
    throw new UnreadableFile(isWhole ? 'has no more lines than are skipped' : skipsTooMuch)
  }
  const { bytes, lines, delimiter } = preamble
  const rest = async function* () {
    yield head.subarray(bytes)
    yield* text
  }
  return { text: rest(), lines, delimiter }
}

function ndjsonReader(): BlockReader {
  type Key = { name: string; index?: number }
  const columns: string[] = []
  const keys = new Map<string, Key>()
  const read = prepareNdjson<[Key, unknown][], Key>({
    aboutKey: (name) => {
      const key = keys.get(name) ?? { name }
      keys.set(name, key)
      return key
    },
    begin: () => [],
    add: (row, _name, key, value) => void row.push([key, value]),
  })
  const valuesOf = (members: readonly [Key, unknown][]): unknown[] => {
    const values: unknown[] = []
    for (const [key, value] of members) {
      key.index ??= columns.push(key.name) - 1
      values[key.index] = value
    }
    return values
  }
  return {
    columns,
    read: (block, first) => {
      const rows: SourceRow[] = []
      const result = read(block, {
        row: (members, line) => rows.push({ line: first + line, values: valuesOf(members) }),
        malformed: (line, problem) => rows.push({ line: first + line, values: [], problem }),
      })
      return { ...result, rows }
    },
  }
}

function delimitedReader(dialect: Dialect): BlockReader {
  let columns: string[] | undefined
  const readRecords = (block: Uint8Array, first: number): BlockRows => {
    const rows: SourceRow[] = []
    const result = readDelimited(
      block,
      { dialect, width: columns!.length },
      {
        row: (cells, line) => {
          rows.push({ line: first + line, values: cells.map((cell) => cell ?? undefined) })
        },
        malformed: (line, problem) => rows.push({ line: first + line, values: [], problem }),
      },
    )
    return { ...result, rows }
  }
  return {
    get columns() {
      return columns ?? []
    },
    read: (block, first) => {
      if (columns !== undefined) return readRecords(block, first)
      const header = readHeader(block, dialect)
      columns = header.names
      if (columns === undefined) return { ...header, rows: [] }
      const records = readRecords(block.subarray(header.bytes), first + header.lines)
      const { unreadable } = records
      return {
        ...records,
        lines: header.lines + records.lines,
        ...(unreadable && { unreadable: { ...unreadable, line: header.lines + unreadable.line } }),
      }
    },
  }
}
