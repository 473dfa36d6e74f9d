import { dialectOf, isEmptyLine, parseDelimited, type Dialect } from './parse-delimited.ts'
import { readPreamble } from './preamble.ts'
import type { Reading } from './read-rows.ts'

/** Delimiters that are detected, as files usually have them. */
export const usualDelimiters = [',', ';', '\t', '|'] as const

/** How much of a file is looked at: characters, records, and lines before that of names. */
const looked = { characters: 64 * 1024, records: 50, skip: 20 }

/**
 * Finds out what stands between the cells of a delimited file by its beginning: that by which all its lines have
 * the same number of cells, and the most of them; the usual one where none does.
 */
export function detectDelimiter(text: string, usual: Dialect): string {
  const head = text.slice(0, looked.characters)
  let [best, bestWidth] = [usual.delimiter, Math.max(1, evenWidth(head, usual))]
  for (const delimiter of usualDelimiters) {
    const width = evenWidth(head, { ...usual, delimiter })
    if (width > bestWidth) [best, bestWidth] = [delimiter, width]
  }
  return best
}

/**
 * Finds out how a delimited file is read, by its beginning: as usual where that makes records of several cells, all
 * alike; or else with quotes that mean nothing, comments, or lines before that of names, if that does.
 */
export function detectReading(text: string, format: 'csv' | 'tsv'): Reading {
  const head = text.slice(0, looked.characters)
  for (const reading of possibleReadings(head)) if (isTable(head, format, reading)) return reading
  return {}
}

function* possibleReadings(text: string): Generator<Reading> {
  const comment = /^(?:##|#|\/\/|--|%)(?![,;\t|])/.exec(text)?.[0]
  const quotings: Reading[] = [{}, { quote: 'none' }]
  yield* quotings
  for (const quoting of quotings) {
    if (comment !== undefined) yield { ...quoting, comment }
    for (let skip = 1; skip <= looked.skip; skip += 1) yield { ...quoting, skip }
  }
}

/**
 * Whether a text is a line of names and records of as many cells, more than one, and what is passed over is none of
 * them. Where a row has a cell too many, or one without its other quote, that is to be told instead.
 */
function isTable(text: string, format: 'csv' | 'tsv', reading: Reading): boolean {
  const bytes = new TextEncoder().encode(text)
  const preamble = readPreamble(bytes, reading.skip ?? 0)
  if (preamble === undefined) return false
  const rest = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(preamble.bytes))
  const decoder = new TextDecoder()
  const skipped =
    preamble.delimiter === undefined ? decoder.decode(bytes.subarray(0, preamble.bytes)) : ''
  const delimiters = preamble.delimiter === undefined ? usualDelimiters : [preamble.delimiter]
  return delimiters.some((delimiter) => {
    const { widths, error } = readWidths(rest, dialectOf(format, { ...reading, delimiter }))
    // What is cut off may be within quotes, as long as most was read.
    const isRead = error === undefined || (text.length === looked.characters && widths.length > 2)
    const isEven = isRead && widths.length > 1 && widths[0]! > 1 && new Set(widths).size === 1
    const isQuoted = reading.quote === 'none' && hasQuotedCells(rest, delimiter)
    return isEven && !isQuoted && !skipped.includes(delimiter)
  })
}

/** Whether quotes stand around at least half of the cells that have any. */
function hasQuotedCells(text: string, delimiter: string): boolean {
  const cells = text.split(/[\r\n]+/).flatMap((line) => line.split(delimiter))
  const withQuotes = cells.filter((cell) => cell.includes('"'))
  return withQuotes.filter((cell) => /^".*"$/.test(cell)).length * 2 >= withQuotes.length
}

/** How many cells each record has; 0 where they differ. */
function evenWidth(text: string, dialect: Dialect): number {
  const { widths } = readWidths(text, dialect)
  return new Set(widths).size === 1 ? widths[0]! : 0
}

/** How many cells the first records have, but for one that may be cut off. */
function readWidths(text: string, dialect: Dialect): { widths: number[]; error?: object } {
  const widths: number[] = []
  const { error } = parseDelimited(text, dialect, (cells) => {
    if (!isEmptyLine(cells)) widths.push(cells.length)
    return widths.length < looked.records
  })
  if (widths.length > 1 && widths.length < looked.records && !/[\r\n]$/.test(text)) widths.pop()
  return { widths, ...(error && { error }) }
}
