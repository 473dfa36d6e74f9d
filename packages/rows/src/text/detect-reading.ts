import {
  type Cell,
  type Dialect,
  dialectOf,
  isEmptyLine,
  parseDelimited,
} from './parse-delimited.ts'
import { readPreamble } from './preamble.ts'
import type { Reading } from '../reading.ts'

/** Delimiters that are detected, as files usually have them. */
export const usualDelimiters = [',', ';', '\t', '|'] as const

/** How much of a file is looked at: characters, records, and lines before that of names. */
const looked = { characters: 64 * 1024, records: 50, skip: 20 }

/**
 * Finds out what stands between the cells of a delimited file by its beginning: that by which all its lines have
 * the same number of cells, and the most of them. Where none does, the usual one, or that of which the first line has
 * the most if it is not in there.
 */
export function detectDelimiter(text: string, usual: Dialect): string {
  const head = text.slice(0, looked.characters)
  let [best, bestWidth] = [usual.delimiter, Math.max(1, evenWidth(head, usual))]
  for (const delimiter of usualDelimiters) {
    const width = evenWidth(head, { ...usual, delimiter })
    if (width > bestWidth) [best, bestWidth] = [delimiter, width]
  }
  if (bestWidth > 1 || evenWidth(head, usual) === 1) return best
  const firstWidth = (delimiter: string) =>
    readRecords(head, { ...usual, delimiter }).records[0]?.length ?? 1
  if (firstWidth(usual.delimiter) > 1) return usual.delimiter
  return usualDelimiters.reduce(
    (most, each) => (firstWidth(each) > firstWidth(most) ? each : most),
    best,
  )
}

/**
 * Finds out how a delimited file is read, by its beginning: as usual where that makes records of several cells, all
 * alike; or else with an escape character, quotes that mean nothing, comments, or lines before that of names, if that
 * does. Then which of its cells say that there is no value.
 */
export function detectReading(text: string, format: 'csv' | 'tsv'): Reading {
  const head = text.slice(0, looked.characters)
  for (const reading of possibleReadings(head)) {
    const table = findTable(head, format, reading)
    if (table === undefined) continue
    const nullText = detectNull(table)
    return nullText === undefined ? reading : { ...reading, null: nullText }
  }
  return {}
}

function* possibleReadings(text: string): Generator<Reading> {
  const comment = /^(?:##|#|\/\/|--|%)(?![,;\t|])/.exec(text)?.[0]
  const escaped: Reading[] = text.includes('\\') ? [{ escape: '\\' }] : []
  const quotings: Reading[] = [{}, ...escaped, { quote: 'none' }]
  yield* quotings
  for (const quoting of quotings) {
    if (comment !== undefined) yield { ...quoting, comment }
    for (let skip = 1; skip <= looked.skip; skip += 1) yield { ...quoting, skip }
  }
}

type Table = { text: string; dialect: Dialect }

/**
 * Finds in a text a line of names and records of as many cells, more than one, where what is passed over is none of
 * them. Where a row has a cell too many, or one without its other quote, that is to be told instead.
 */
function findTable(text: string, format: 'csv' | 'tsv', reading: Reading): Table | undefined {
  const bytes = new TextEncoder().encode(text)
  const preamble = readPreamble(bytes, reading.skip ?? 0)
  if (preamble === undefined) return undefined
  const rest = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(preamble.bytes))
  const decoder = new TextDecoder()
  const skipped =
    preamble.delimiter === undefined ? decoder.decode(bytes.subarray(0, preamble.bytes)) : ''
  const delimiters = preamble.delimiter === undefined ? usualDelimiters : [preamble.delimiter]
  for (const delimiter of delimiters) {
    const dialect = dialectOf(format, { ...reading, delimiter })
    const { records, error } = readRecords(rest, dialect)
    const [{ length: width } = []] = records
    // What is cut off may be within quotes, as long as most was read.
    const isRead = error === undefined || (text.length === looked.characters && records.length > 2)
    const isEven =
      records.length > 1 && width > 1 && records.every(({ length }) => length === width)
    const isQuoted = reading.quote === 'none' && hasQuotedCells(rest, delimiter)
    if (isRead && isEven && !isQuoted && !skipped.includes(delimiter))
      return { text: rest, dialect }
  }
  return undefined
}

/** Texts by which programs write that there is no value: MySQL and PostgreSQL, other databases, R, NumPy and Python. */
const nullTexts = ['\\N', 'NULL', 'null', 'NA', 'NaN', 'nan', 'None']
const looksExact = /^[-+]?\.?\d/

/**
 * Finds out which cells without quotes say that there is no value: those with `\N`, or with what programs write so in a
 * column that otherwise has numbers and dates.
 */
function detectNull({ text, dialect }: Table): string | undefined {
  return nullTexts.find((nullText) => {
    const [names = [], ...records] = readRecords(text, { ...dialect, null: nullText }).records
    return names.some((_, column) => {
      const cells = records.map((cells) => cells[column]).filter((cell) => cell !== undefined)
      const others = cells.filter((cell) => cell !== null)
      if (others.length === cells.length) return false
      return (
        nullText === '\\N' || (others.length > 0 && others.every((cell) => looksExact.test(cell)))
      )
    })
  })
}

/** Whether quotes stand around at least half of the cells that have any. */
function hasQuotedCells(text: string, delimiter: string): boolean {
  const cells = text.split(/[\r\n]+/).flatMap((line) => line.split(delimiter))
  const withQuotes = cells.filter((cell) => cell.includes('"'))
  return withQuotes.filter((cell) => /^".*"$/.test(cell.trim())).length * 2 >= withQuotes.length
}

/** How many cells each record has; 0 where they differ. */
function evenWidth(text: string, dialect: Dialect): number {
  const widths = readRecords(text, dialect).records.map(({ length }) => length)
  return new Set(widths).size === 1 ? widths[0]! : 0
}

/** Reads the first records, but for one that may be cut off. */
function readRecords(text: string, dialect: Dialect): { records: Cell[][]; error?: object } {
  const records: Cell[][] = []
  const { error } = parseDelimited(text, dialect, (cells) => {
    if (!isEmptyLine(cells)) records.push(cells)
    return records.length < looked.records
  })
  if (records.length > 1 && records.length < looked.records && !/[\r\n]$/.test(text)) records.pop()
  return { records, ...(error && { error }) }
}
