// Runs in checking threads of the server, in browsers, on the command line.

import { limits } from '@vitrine/contract/limits'
import { decodeBlock } from './decode-block.ts'
import { counted } from '../description-text.ts'
import {
  type Cell,
  type DelimitedError,
  type Dialect,
  isEmptyLine,
  parseDelimited,
} from './parse-delimited.ts'
import { endOfLineAt } from './record-end.ts'
import { type ReadBlock, type RowVisitor, notUtf8 } from '../row-block.ts'

/** The line of names of a delimited file; undefined where there are empty lines alone. */
export type Header = {
  names: string[] | undefined
  /** That it takes. */ bytes: number
} & ReadBlock

const utf8 = new TextEncoder()

/**
 * Reads the line of names of CSV or TSV, which may have line breaks in quotes, from a block that begins with
 * it. Without one, names are empty, as many as the first record has cells.
 */
export function readHeader(block: Uint8Array, { header, ...dialect }: Dialect): Header {
  const { text, invalidLine } = decodeBlock(block, endOfLineAt)
  let names: string[] | undefined
  const { end, lines, error } = parseDelimited(text, { ...dialect, null: undefined }, (cells) => {
    if (isEmptyLine(cells)) return true
    names = cells.map((cell) => (header === 'none' ? '' : (cell ?? '')))
    return false
  })
  if (names !== undefined && header === 'none') return { names, bytes: 0, lines: 0 }
  const bytes = utf8.encode(text.slice(0, end)).length
  if (names !== undefined) return { names, bytes, lines }
  return { names, bytes, ...ended({ lines, invalidLine, error }) }
}

/**
 * Reads the records of a block of CSV or TSV, the line of names left out, which has so many cells. Empty lines are
 * passed over, but in a file of one column, where they are rows without a value.
 */
export function readDelimited(
  block: Uint8Array,
  { dialect, width }: { dialect: Dialect; width: number },
  { row, malformed }: RowVisitor<Cell[]>,
): ReadBlock {
  const { text, invalidLine } = decodeBlock(block, endOfLineAt)
  const { lines, error } = parseDelimited(text, dialect, (cells, line) => {
    if (cells.length === width) return row(cells, line)
    if (isEmptyLine(cells)) return
    const isTooWide = cells.length > limits.columns
    const count = isTooWide ? `more than ${limits.columns} cells` : counted(cells.length, 'cell')
    malformed(line, `has ${count}, and the first line has ${width}`)
  })
  return ended({ lines, invalidLine, error })
}

function ended({
  lines,
  invalidLine,
  error,
}: {
  lines: number
  invalidLine: number | undefined
  error: DelimitedError | undefined
}): ReadBlock {
  if (invalidLine !== undefined)
    return { lines, unreadable: { line: invalidLine, reason: notUtf8 } }
  return { lines, ...(error && { unreadable: error }) }
}
