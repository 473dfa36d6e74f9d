import { nameColumns } from '../column-names.ts'
import { cutBlocks, endOfLine, endOfRecord, usualBlocks } from './cut-blocks.ts'
import { guardCell, writeDialectCell } from './delimited-record.ts'
import { type Cell, type Dialect, dialectOf, parseDelimited } from './parse-delimited.ts'
import {
  type Preamble,
  paddingComment,
  preambleMax,
  readPreamble,
  skipsTooMuch,
} from './preamble.ts'
import { readHeader } from './read-delimited.ts'
import type { Reading } from '../reading.ts'
import { endOfLineAt } from './record-end.ts'
import { UnreadableFile } from '../row-batch.ts'
import { startBytes, TextSource, textStart } from './text-source.ts'

/** Corrected values by the names of their columns, as texts; '' is no value. JSON is given as such. */
export type Correction = Readonly<Record<string, string | { json: string }>>

export type CorrectOptions = Reading & {
  format: 'ndjson' | 'csv' | 'tsv'
  /** Whether cells that could be formulas have a `'` before them. */
  guard?: boolean | undefined
  /** Whether other rows are left out. */
  isAlone?: boolean | undefined
}

/** In bytes; whoever corrects does so in a thread of its own. */
const sizes = { ...usualBlocks, block: 1024 * 1024 }

const lineFeed = 0x0a
const lineEnds = /\r\n|[\r\n]/g
const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder('utf-8', { ignoreBOM: true }) }

/**
 * Makes a file of another one and corrections of its rows, which all keep their line numbers. What stays is not copied,
 * but where it is in another encoding: the file that is made is in UTF-8.
 * @param corrections by the line that a row begins on, counted from 1
 * @throws UnreadableFile, also where a line begins no row
 */
export async function correctRows(
  source: Blob,
  corrections: ReadonlyMap<number, Correction>,
  { format, guard = false, isAlone = false, encoding, ...reading }: CorrectOptions,
): Promise<Blob> {
  const file = encoding === undefined ? source : await inUtf8(source, encoding)
  const begin = textStart(new Uint8Array(await file.slice(0, startBytes).arrayBuffer()))
  const preamble = format === 'ndjson' ? none : await preambleOf(file, begin, reading.skip)
  const dialect =
    format === 'ndjson'
      ? undefined
      : dialectOf(format, { ...reading, delimiter: reading.delimiter ?? preamble.delimiter })
  const findEnd = dialect === undefined ? endOfLine : endOfRecord(dialect)
  const endOfThis = dialect === undefined ? endOfFeed : endOfLineAt
  const start = begin + preamble.bytes
  const pending = [...corrections].toSorted(([a], [b]) => a - b)
  const parts: BlobPart[] = []
  let padding = '\n'
  let names: string[] | undefined
  // Where in the file the parts have got to, and on which line.
  let at = { byte: 0, line: 1 }
  let line = 1 + preamble.lines
  const text = new TextSource(file.slice(start)).text()
  for await (const { content, end } of cutBlocks(text, { findEnd, start, sizes })) {
    const from = end - content.length
    if (dialect !== undefined && names === undefined) {
      const header = readHeader(content, dialect)
      names = header.names && nameColumns(header.names)
      // A line that is passed over: an empty one is a row, where there is one column.
      if (names?.length === 1) padding = `${dialect.comment ?? paddingComment}\n`
      parts.push(file.slice(at.byte, from + header.bytes))
      at = { byte: from + header.bytes, line: line + header.lines }
    }
    const lineAfter = line + countLines(content, endOfThis)
    while (pending[0] !== undefined && pending[0][0] < lineAfter) {
      const [rowLine, correction] = pending.shift()!
      const row = rowAt(content, rowLine - line, { dialect, endOfThis })
      if (row === undefined) throw new UnreadableFile(`has no row on line ${rowLine}`)
      const written =
        row.cells === undefined
          ? correctObject(row.text, correction)
          : correctRecord(row.cells, correction, { names: names!, dialect: dialect!, guard })
      if (written === undefined) {
        throw new UnreadableFile(
          `has a value on line ${rowLine} that needs quotes, which mean nothing`,
        )
      }
      // A value of several lines may have become one line.
      parts.push(
        isAlone ? padding.repeat(rowLine - at.line) : file.slice(at.byte, from + row.start),
        `${written}\n`,
        padding.repeat(Math.max(0, row.lines - 1 - (written.match(lineEnds)?.length ?? 0))),
      )
      at = { byte: from + row.end, line: rowLine + row.lines }
    }
    line = lineAfter
    if (pending.length === 0) break
  }
  if (pending[0] !== undefined) throw new UnreadableFile(`has no row on line ${pending[0][0]}`)
  return new Blob(isAlone ? parts : [...parts, file.slice(at.byte)])
}

async function inUtf8(file: Blob, encoding: string): Promise<Blob> {
  const pieces: BlobPart[] = []
  for await (const piece of new TextSource(file, encoding).text()) pieces.push(piece)
  return new Blob(pieces)
}

const none: Preamble = { bytes: 0, lines: 0 }

/** @throws UnreadableFile */
async function preambleOf(file: Blob, from: number, skip = 0): Promise<Preamble> {
  const head = new Uint8Array(await file.slice(from, from + preambleMax).arrayBuffer())
  const preamble = readPreamble(head, skip)
  if (preamble === undefined) throw new UnreadableFile(skipsTooMuch)
  return preamble
}

type Row = { start: number; end: number; lines: number; text: string; cells?: Cell[] }

/** The row that begins on a line of a block, counted from 0, in bytes with its line break. */
function rowAt(
  block: Uint8Array,
  line: number,
  { dialect, endOfThis }: { dialect: Dialect | undefined; endOfThis: EndOfLine },
): Row | undefined {
  let start = 0
  for (let count = 0; count < line; count += 1) start = endOfThis(block, start)
  if (dialect === undefined) {
    const end = endOfThis(block, start)
    return { start, end, lines: 1, text: utf8.decoder.decode(block.subarray(start, end)) }
  }
  const text = utf8.decoder.decode(block.subarray(start))
  let cells: Cell[] | undefined
  const { end, lines } = parseDelimited(text, dialect, (record, begins) => {
    if (begins === 0) cells = record
    return false
  })
  if (cells === undefined) return undefined
  const record = text.slice(0, end)
  const bytes = utf8.encoder.encode(record).length
  return { start, end: start + bytes, lines: Math.max(1, lines), text: record, cells }
}

type RecordShape = { dialect: Dialect; names: readonly string[]; guard: boolean }

/** Returns the record with corrected cells; undefined where the dialect has no way to write one of them. */
function correctRecord(
  cells: readonly Cell[],
  correction: Correction,
  { names, dialect, guard }: RecordShape,
): string | undefined {
  const corrected = cells.map((cell, index) => {
    const name = names[index]!
    if (!Object.hasOwn(correction, name)) return cell
    const value = correction[name]!
    const text = typeof value === 'string' ? value : value.json
    return text === '' ? undefined : guard ? guardCell(text) : text
  })
  const written = corrected.map((cell) => writeDialectCell(cell, dialect))
  return written.includes(undefined) ? undefined : written.join(dialect.delimiter)
}

function correctObject(text: string, correction: Correction): string {
  const row = parseAsWritten(text) as Record<string, unknown>
  for (const [name, value] of Object.entries(correction)) {
    if (value === '') delete row[name]
    else if (typeof value !== 'string') row[name] = parseAsWritten(value.json)
    else row[name] = lookupOf(row[name], value) ?? value
  }
  return JSON.stringify(row)
}

/** Parses JSON whose numbers are to be written as they stand, also those that JavaScript would round. */
function parseAsWritten(text: string): unknown {
  const { rawJSON } = JSON as unknown as { rawJSON?: (source: string) => unknown }
  const keep = (_key: string, value: unknown, context?: { source: string }) =>
    typeof value === 'number' && rawJSON && context ? rawJSON(context.source) : value
  try {
    return JSON.parse(text, keep)
  } catch (cause) {
    throw new UnreadableFile('has a value that is not valid JSON', { cause })
  }
}

/** A reference by a lookup, with another value to look up. */
function lookupOf(before: unknown, value: string): object | undefined {
  if (typeof before !== 'object' || before === null || !('lookup' in before)) return undefined
  const [by] = Object.keys(before.lookup as object)
  return by === undefined ? undefined : { lookup: { [by]: value } }
}

type EndOfLine = (bytes: Uint8Array, from: number) => number

/** Returns where a line of NDJSON ends. */
const endOfFeed: EndOfLine = (bytes, from) => bytes.indexOf(lineFeed, from) + 1 || bytes.length

function countLines(bytes: Uint8Array, endOfThis: EndOfLine): number {
  let lines = 0
  for (let at = 0; at < bytes.length; at = endOfThis(bytes, at)) lines += 1
  return lines
}
