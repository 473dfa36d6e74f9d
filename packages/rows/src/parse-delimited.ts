import { limits } from '@vitrine/contract/limits'

/** A cell of a delimited file; an empty one without quotes is absent rather than empty. */
export type Cell = string | null

/**
 * Cells of a record that are kept: with one more than a file may have columns, it is known to have too
 * many.
 */
const cellsMax = limits.columns + 1

/** Is shown the records one after the other; `false` ends the parsing after this one. */
export type VisitRecord = (cells: Cell[], line: number) => boolean | void

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** The characters of a delimited file that mean something. */
export type Dialect = {
  /** In ASCII. */
  delimiter: string
  /** In ASCII, and doubled within quotes; empty where no character is one. */
  quote: string
  /** With what lines begin that are no records, where a record may begin. */
  comment?: string | undefined
}

export const csv: Dialect = { delimiter: ',', quote: '"' }
export const tsv: Dialect = { delimiter: '\t', quote: '"' }

/** The dialect of a format, with what is other in a file; the quote `none` is no character. */
export function dialectOf(
  format: 'csv' | 'tsv',
  { delimiter, quote, comment }: Partial<Dialect>,
): Dialect {
  const usual = format === 'tsv' ? tsv : csv
  return {
    delimiter: delimiter ?? usual.delimiter,
    quote: quote === 'none' ? '' : (quote ?? usual.quote),
    comment,
  }
}

/** Syntax error, with its line. */
export type DelimitedError = { line: number; reason: string }

/**
 * Parses records of RFC 4180 in any dialect: lines end in LF, CRLF or CR, and a cell in quotes may hold any of these
 * and quotes that are doubled. An empty line is a record of one absent cell.
 */
export function parseDelimited(
  text: string,
  { delimiter, quote: quoteCharacter, comment }: Dialect,
  visit: VisitRecord,
): { end: number; lines: number; error?: DelimitedError } {
  const delimiterCode = delimiter.charCodeAt(0)
  const quote = quoteCharacter.charCodeAt(0)
  const { length } = text
  let at = 0
  let line = 0
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
      if (text.charCodeAt(at) === quote) {
        const quoted = readQuoted(text, at, quoteCharacter)
        if (quoted === undefined) {
          const error = { line: began, reason: 'has a cell in quotes that does not end' }
          return { end: at, lines: line, error }
        }
        if (cells.length < cellsMax) cells.push(quoted.value)
        line += quoted.lines
        at = quoted.end
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
          const error = { line, reason: 'has a quote in a cell that does not begin with one' }
          return { end: at, lines: line, error }
        }
        if (cells.length < cellsMax) cells.push(at > from ? text.slice(from, at) : null)
      }
      if (text.charCodeAt(at) === delimiterCode) {
        at += 1
        continue
      }
      if (at >= length || lineEnd(text, at) > 0) break
      const error = { line, reason: 'has something between a quote and the end of its cell' }
      return { end: at, lines: line, error }
    }
    if (at < length) line += 1
    at += lineEnd(text, at)
    if (visit(cells, began) === false) break
  }
  return { end: at, lines: line }
}

/** Whether a record is an empty line. */
export function isEmptyLine(cells: readonly Cell[]): boolean {
  return cells.length === 1 && cells[0] === null
}

/** The length of the line end at a place of a text; 0 where there is none. */
function lineEnd(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code === lineFeed) return 1
  if (code !== carriageReturn) return 0
  return text.charCodeAt(at + 1) === lineFeed ? 2 : 1
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
