// Runs in checking threads of the server, in browsers, on the command line.

import { limits } from '@vitrine/contract/limits'
import type { Reading } from '../reading.ts'

/** A cell of a delimited file: undefined is an empty one without quotes, and null one that the dialect says is null. */
export type Cell = string | null | undefined

/**
 * Cells of a record that are kept: with one more than a file may have columns, it is known to have too
 * many.
 */
const cellsMax = limits.columns + 1

/** Is shown the records one after the other; `false` ends the parsing after this one. */
export type VisitRecord = (cells: Cell[], line: number) => boolean | void

const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20

/** The characters of a delimited file that mean something. */
export type Dialect = {
  /** In ASCII. */
  delimiter: string
  /** In ASCII, and doubled within quotes; empty where no character is one. */
  quote: string
} & Pick<Reading, 'escape' | 'null' | 'header' | 'comment'>

export const csv: Dialect = { delimiter: ',', quote: '"' }
export const tsv: Dialect = { delimiter: '\t', quote: '"' }

/** The dialect of a format, with what is other in a file; the quote `none` is no character. */
export function dialectOf(
  format: 'csv' | 'tsv',
  { delimiter, quote, escape, null: nullText, header, comment }: Partial<Dialect>,
): Dialect {
  const usual = format === 'tsv' ? tsv : csv
  const around = quote === 'none' ? '' : (quote ?? usual.quote)
  return {
    delimiter: delimiter ?? usual.delimiter,
    quote: around,
    // A quote that makes a quote text is one that is doubled.
    escape: escape === around ? undefined : escape,
    null: nullText,
    header,
    comment,
  }
}

/** Syntax error, with its line. */
export type DelimitedError = { line: number; reason: string }

const errors = {
  open: 'has a cell in quotes that does not end',
  inner: 'has a quote in a cell that does not begin with one',
  after: 'has something between a quote and the end of its cell',
}

/**
 * Parses records of RFC 4180 in any dialect: lines end in LF, CRLF or CR, and a cell in quotes may hold any of these
 * and quotes that are doubled. Spaces around the quotes of a cell mean nothing. An empty line is a record of one
 * undefined cell.
 */
export function parseDelimited(
  text: string,
  dialect: Dialect,
  visit: VisitRecord,
): { end: number; lines: number; error?: DelimitedError } {
  const { delimiter, quote: quoteCharacter, escape, null: nullText, comment } = dialect
  const delimiterCode = delimiter.charCodeAt(0)
  const quote = quoteCharacter.charCodeAt(0)
  const { length } = text
  let at = 0
  let line = 0
  let beforeQuote: string | undefined
  while (at < length) {
    if (comment !== undefined && text.startsWith(comment, at)) {
      while (at < length && lineEnd(text, at) === 0) at += 1
      if (at < length) line += 1
      at += lineEnd(text, at)
      continue
    }
    const began = line
    const cells: Cell[] = []
    for (;;) {
      if (escape !== undefined) {
        const cell = readEscaped(text, at, { ...dialect, escape })
        if ('reason' in cell) {
          return { end: at, lines: line, error: { line: began, reason: cell.reason } }
        }
        if (cells.length < cellsMax) cells.push(cell.value)
        line += cell.lines
        at = cell.end
      } else if (text.charCodeAt(at) === quote) {
        const quoted = readQuoted(text, at, quoteCharacter)
        if (quoted === undefined) {
          return { end: at, lines: line, error: { line: began, reason: errors.open } }
        }
        if (cells.length < cellsMax) cells.push(quoted.value)
        line += quoted.lines
        beforeQuote = text[quoted.end - 2]
        at = endOfSpaces(text, quoted.end, delimiterCode)
      } else {
        const from = at
        let code = text.charCodeAt(at)
        while (
          at < length &&
          code !== delimiterCode &&
          code !== lineFeed &&
          code !== carriageReturn &&
          code !== quote
        ) {
          at += 1
          code = text.charCodeAt(at)
        }
        if (at < length && code === quote) {
          if (endOfSpaces(text, from, delimiterCode) === at) continue
          const reason = errors.inner + hintFor(text[at - 1])
          return { end: at, lines: line, error: { line, reason } }
        }
        if (cells.length < cellsMax) {
          const cell = at > from ? text.slice(from, at) : undefined
          cells.push(cell !== undefined && cell === nullText ? null : cell)
        }
      }
      if (text.charCodeAt(at) === delimiterCode) {
        at += 1
        continue
      }
      if (at >= length || lineEnd(text, at) > 0) break
      return { end: at, lines: line, error: { line, reason: errors.after + hintFor(beforeQuote) } }
    }
    if (at < length) line += 1
    at += lineEnd(text, at)
    if (visit(cells, began) === false) break
  }
  return { end: at, lines: line }
}

function hintFor(beforeQuote: string | undefined): string {
  return beforeQuote === '\\' ? '; if the \\ before it makes it text, say so by the escape' : ''
}

/** Whether a record is an empty line. */
export function isEmptyLine(cells: readonly Cell[]): boolean {
  return cells.length === 1 && cells[0] === undefined
}

/** The length of the line end at a place of a text; 0 where there is none. */
function lineEnd(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code === lineFeed) return 1
  if (code !== carriageReturn) return 0
  return text.charCodeAt(at + 1) === lineFeed ? 2 : 1
}

/** Returns where spaces end that go on at a place. */
function endOfSpaces(text: string, from: number, delimiterCode: number): number {
  let at = from
  if (delimiterCode !== space) while (text.charCodeAt(at) === space) at += 1
  return at
}

type ReadCell = { value: Cell; end: number; lines: number }

/** Reads a cell of a dialect that has an escape character, and spaces around its quotes. */
function readEscaped(
  text: string,
  from: number,
  { delimiter, quote, escape, null: nullText }: Dialect & { escape: string },
): ReadCell | { reason: string } {
  const first = endOfSpaces(text, from, delimiter.charCodeAt(0))
  const isQuoted = quote !== '' && text[first] === quote
  const parts: string[] = []
  let at = isQuoted ? first + 1 : from
  let begin = at
  let lines = 0
  for (; ; at += 1) {
    const character = text[at]
    if (character === undefined) {
      if (isQuoted) return { reason: errors.open }
      break
    }
    const end = lineEnd(text, at)
    if (character === escape) {
      const next = lineEnd(text, at + 1)
      const follows = text[at + 1]
      if (next > 0) lines += 1
      else if (follows !== escape && follows !== quote && (isQuoted || follows !== delimiter))
        continue
      parts.push(text.slice(begin, at))
      begin = at + 1
      at += Math.max(1, next)
    } else if (isQuoted && character === quote) {
      if (text[at + 1] !== quote) break
      parts.push(text.slice(begin, at + 1))
      begin = at + 2
      at += 1
    } else if (isQuoted && end > 0) {
      lines += 1
      at += end - 1
    } else if (!isQuoted && (character === delimiter || end > 0)) break
    else if (!isQuoted && character === quote) return { reason: errors.inner }
  }
  const value = parts.join('') + text.slice(begin, at)
  if (isQuoted) return { value, end: endOfSpaces(text, at + 1, delimiter.charCodeAt(0)), lines }
  const isNull = text.slice(from, at) === nullText
  return { value: at === from ? undefined : isNull ? null : value, end: at, lines }
}

function readQuoted(
  text: string,
  from: number,
  quoteCharacter: string,
): { value: string; end: number; lines: number } | undefined {
  const quote = quoteCharacter.charCodeAt(0)
  let end = text.indexOf(quoteCharacter, from + 1)
  if (end === -1) return undefined
  if (text.charCodeAt(end + 1) !== quote) {
    const value = text.slice(from + 1, end)
    return { value, end: end + 1, lines: countLines(value) }
  }
  const parts: string[] = []
  let begin = from + 1
  while (text.charCodeAt(end + 1) === quote) {
    parts.push(text.slice(begin, end + 1))
    begin = end + 2
    end = text.indexOf(quoteCharacter, begin)
    if (end === -1) return undefined
  }
  parts.push(text.slice(begin, end))
  const value = parts.join('')
  return { value, end: end + 1, lines: countLines(value) }
}

function countLines(text: string): number {
  let lines = 0
  for (let at = 0; at < text.length; at += 1) {
    const length = lineEnd(text, at)
    if (length > 0) lines += 1
    if (length === 2) at += 1
  }
  return lines
}
