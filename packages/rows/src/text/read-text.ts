import { nameColumns } from '../column-names.ts'
import { type FindEnd, cutBlocks, endOfLine, endOfRecord, usualBlocks } from './cut-blocks.ts'
import { decodeBlock } from './decode-block.ts'
import { detectEncoding } from './detect-encoding.ts'
import { detectDelimiter, detectReading } from './detect-reading.ts'
import { jsonLines } from './json-lines.ts'
import { type Dialect, dialectOf } from './parse-delimited.ts'
import { preambleMax, readPreamble, skipsTooMuch } from './preamble.ts'
import { readDelimited, readHeader } from './read-delimited.ts'
import { prepareNdjson } from './read-ndjson.ts'
import type { ReadOptions, TextFormat } from '../reading.ts'
import { type Reading, pickReading } from '../reading.ts'
import { endOfLineAt } from './record-end.ts'
import { type RowBatch, type SourceRow, UnreadableFile } from '../row-batch.ts'
import { type ReadBlock, notUtf8, sayTooLong } from '../row-block.ts'
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
  { format, isDetected = false, ...choices }: Omit<ReadOptions, 'format'> & { format: TextFormat },
): AsyncGenerator<RowBatch, void, undefined> {
  const encoding =
    choices.encoding ??
    (isDetected ? await detectEncoding(await new TextSource(file).head()) : undefined)
  const source = new TextSource(file, encoding)
  if (format === 'ndjson' || format === 'json') {
    const isArray = format === 'json'
    const lines = isArray ? jsonLines(source.text()) : source.text()
    const place = isArray ? 'Row' : 'Line'
    const blocks = readBlocks(lines, { source, open: ndjsonReader, place })
    if (encoding === undefined) return yield* blocks
    for await (const batch of blocks) yield { ...batch, reading: { encoding } }
    return
  }
  const text = source.text()
  const { head, isWhole } = await readHead(text)
  const { delimiter, ...options } = pickReading(choices)
  const isUsual = Object.values({ ...options, encoding: undefined }).every(
    (each) => each === undefined,
  )
  const reading: Reading =
    isDetected && isUsual
      ? { ...detectReading(decodeBlock(head, endOfLineAt).text, format), delimiter, encoding }
      : { ...options, delimiter, encoding }
  const preamble = readPreamble(head, reading.skip ?? 0)
  if (preamble === undefined) {
    throw new UnreadableFile(isWhole ? 'has no more lines than are skipped' : skipsTooMuch)
  }
  const usual = dialectOf(format, reading)
  let separator = delimiter ?? preamble.delimiter
  const open = (block: Uint8Array): BlockReader => {
    separator ??= detectDelimiter(decodeBlock(block, endOfLineAt).text, usual)
    return delimitedReader({ ...usual, delimiter: separator })
  }
  const rest = async function* () {
    yield head.subarray(preamble.bytes)
    yield* text
  }
  const blocks = readBlocks(rest(), {
    source,
    open,
    findEnd: endOfRecord(usual),
    line: preamble.lines + 1,
  })
  for await (const batch of blocks)
    yield { ...batch, reading: { ...reading, delimiter: separator! } }
}

type BlockReading = {
  source: TextSource
  open: (block: Uint8Array) => BlockReader
  findEnd?: FindEnd
  /** The line that the text begins on, counted from 1. */
  line?: number
  /** Name of a place in the file. */
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
      throw new UnreadableFile(unreadable.reason, {
        place: `${place} ${line + unreadable.line}`,
        encoding: unreadable.reason === notUtf8 ? await detectEncoding(content) : undefined,
      })
    }
    line += lines
    yield { columns: reader.columns, rows, bytes: source.bytesRead }
  }
}

/** Reads as much of a text as may stand before the line of names. */
async function readHead(
  text: AsyncGenerator<Uint8Array>,
): Promise<{ head: Uint8Array; isWhole: boolean }> {
  let head = new Uint8Array()
  while (head.length < preambleMax) {
    const { value, done } = await text.next()
    if (done === true) return { head, isWhole: true }
    head = new Uint8Array(await new Blob([head, value as Uint8Array<ArrayBuffer>]).arrayBuffer())
  }
  return { head, isWhole: false }
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
          rows.push({ line: first + line, values: cells })
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
      columns = header.names && nameColumns(header.names)
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
