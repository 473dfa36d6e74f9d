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

/** One character in ASCII each; quotes within quotes are doubled. */
export type Dialect = { delimiter: string; quote: string }

export const csv: Dialect = { delimiter: ',', quote: '"' }
export const tsv: Dialect = { delimiter: '\t', quote: '"' }

/** Syntax error, with its line. */
export type DelimitedError = { line: number; reason: string }

/**
 * Parses records of RFC 4180 in any dialect: lines end in LF or CRLF, and a cell in
 * quotes may hold any of these and quotes that are doubled. Lines that are empty are passed over.
 */
export function parseDelimited(
  text: string,
  { delimiter, quote: quoteCharacter }: Dialect,
  visit: VisitRecord,
): { end: number; lines: number; error?: DelimitedError } {
  const delimiterCode = delimiter.charCodeAt(0)
  const quote = quoteCharacter.charCodeAt(0)
  const { length } = text
  let at = 0
  let line = 0
  while (at < length) {
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
        while (at < length && code !== delimiterCode && code !== lineFeed && code !== quote) {
          at += 1
          code = text.charCodeAt(at)
        }
        if (at < length && code === quote) {
          const error = { line, reason: 'has a quote in a cell that does not begin with one' }
          return { end: at, lines: line, error }
        }
        const isAtEnd = at >= length || code === lineFeed
        const to = isAtEnd && text.charCodeAt(at - 1) === carriageReturn && at > from ? at - 1 : at
        if (cells.length < cellsMax) cells.push(to > from ? text.slice(from, to) : null)
      }
      if (text.charCodeAt(at) === delimiterCode) {
        at += 1
        continue
      }
      if (text.charCodeAt(at) === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at += 1
      if (at >= length || text.charCodeAt(at) === lineFeed) break
      const error = { line, reason: 'has something between a quote and the end of its cell' }
      return { end: at, lines: line, error }
    }
    if (at < length) line += 1
    at += 1
    if ((cells.length > 1 || cells[0] !== null) && visit(cells, began) === false) break
  }
  return { end: Math.min(at, length), lines: line }
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
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
