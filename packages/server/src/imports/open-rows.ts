// Runs on the main thread.

import { type FindEnd, cutBlocks, endOfLine, endOfRecord } from '@vitrine/rows/text/cut-blocks'
import { jsonLines } from '@vitrine/rows/text/json-lines'
import { type Dialect, dialectOf } from '@vitrine/rows/text/parse-delimited'
import { type Preamble, preambleMax, readPreamble, skipsTooMuch } from '@vitrine/rows/text/preamble'
import { type Header, readHeader } from '@vitrine/rows/text/read-delimited'
import { UnreadableFile } from '@vitrine/rows/row-batch'
import { sayTooLong } from '@vitrine/rows/row-block'
import { startBytes, textStart } from '@vitrine/rows/text/text-source'
import { freeBytes } from '../runtime/gc.ts'
import type { Dataset } from '../store/datasets.ts'
import type { CheckPool } from './check-pool.ts'
import type { ImportOptions } from './import-options.ts'
import { type ImportedFile, malformed } from './import-file.ts'
import { openParquet } from './open-parquet.ts'
import { toColumns, type ImportTarget } from './to-columns.ts'
import type { Block } from './rows/raw-row.ts'
import type { BlockConfig } from './rows/check-block.ts'
import type { SheetHead } from './rows/sheet-row.ts'

const lineFeed = 0x0a

export type RowsFormat = 'ndjson' | 'json' | 'csv' | 'tsv' | 'parquet' | 'xlsx'

/** A file of rows, ready to be checked block by block. */
export type OpenRows = {
  config: BlockConfig
  blocks: AsyncIterable<Block>
  /** Lines before the first row; null where rows do not begin on lines of their own. */
  linesBefore: number | null
}

type HowToOpen = {
  format: RowsFormat
  repo: Dataset
  options: ImportOptions
  checkPool: CheckPool
}

/**
 * Opens a file of rows.
 * @throws Failure IMPORT_MALFORMED
 */
export async function openRows(file: ImportedFile, how: HowToOpen): Promise<OpenRows> {
  try {
    return await open(file, how)
  } catch (error) {
    throw refusalOf(error)
  }
}

async function* refusing(blocks: AsyncIterable<Block>): AsyncGenerator<Block> {
  try {
    yield* blocks
  } catch (error) {
    throw refusalOf(error)
  }
}

function refusalOf(error: unknown): unknown {
  return error instanceof UnreadableFile ? malformed(error.reason) : error
}

async function open(
  file: ImportedFile,
  { format, repo: { schema }, options, checkPool }: HowToOpen,
): Promise<OpenRows> {
  const { columns: mapping, guard, match } = options
  const target = { schema, mapping, match }
  if (format === 'parquet') return openParquet(file, { ...target, pool: checkPool })
  if (format === 'xlsx') return openSheetLines(file, { ...target, guard })
  const start = textStart(await file.read(0, Math.min(startBytes, file.size)))
  if (format === 'ndjson' || format === 'json') {
    const isArray = format === 'json'
    const lines = isArray ? jsonLines(file.stream(start)) : file.stream(start)
    return {
      config: { schema, match, format: 'ndjson', columns: mapping },
      blocks: refusing(cutBlocks(lines, { findEnd: endOfLine, start, free: freeBytes })),
      linesBefore: isArray ? null : 0,
    }
  }
  const {
    bytes: preambleBytes,
    lines: before,
    delimiter,
  } = await findPreamble(file, start, options)
  const dialect = dialectOf(format, { ...options, delimiter: options.delimiter ?? delimiter })
  const namesFrom = start + preambleBytes
  const { names, bytes, lines } = await findHeader(file, namesFrom, dialect)
  const columns = toColumns(names, target)
  const from = namesFrom + bytes
  const findEnd = endOfRecord(dialect)
  return {
    config: { schema, match, format: 'delimited', dialect, columns, guard },
    blocks: cutBlocks(file.stream(from), { findEnd, start: from, free: freeBytes }),
    linesBefore: before + lines,
  }
}

/** Opens the rows of a workbook, which are lines by now. */
async function openSheetLines(
  file: ImportedFile,
  { guard, ...target }: ImportTarget & { guard: boolean },
): Promise<OpenRows> {
  const { schema, match } = target
  const findEnd: FindEnd = (bytes) => bytes.indexOf(lineFeed) + 1
  for await (const { content, isCut } of cutBlocks(file.stream(), { findEnd, start: 0 })) {
    if (isCut) throw malformed(`the row of names ${sayTooLong()}`)
    // A small file is one block.
    const start = findEnd(content)
    const head = Buffer.from(content.subarray(0, start)).toString()
    const { names, namesRow } = JSON.parse(head) as SheetHead
    return {
      config: { schema, match, format: 'sheet', columns: toColumns(names, target), guard },
      blocks: cutBlocks(file.stream(start), { findEnd: endOfLine, start, free: freeBytes }),
      linesBefore: namesRow,
    }
  }
  throw new Error('the lines of a sheet begin with its names')
}

/** Reads the lines before that of names in a CSV or TSV file, whose text begins at `start`. */
async function findPreamble(
  file: ImportedFile,
  start: number,
  { skip = 0 }: Pick<ImportOptions, 'skip'>,
): Promise<Preamble> {
  const end = Math.min(file.size, start + (skip === 0 ? startBytes * 4 : preambleMax))
  const preamble = readPreamble(await file.read(start, end), skip)
  if (preamble !== undefined) return preamble
  throw malformed(end === file.size ? 'there are no more lines than are skipped' : skipsTooMuch)
}

/** The line of names of a CSV or TSV file, whose text begins at `start`, and what stands before its rows. */
async function findHeader(
  file: ImportedFile,
  start: number,
  dialect: Dialect,
): Promise<Header & { names: string[] }> {
  const skipped = { bytes: 0, lines: 0 }
  const blocks = cutBlocks(file.stream(start), { findEnd: endOfRecord(dialect), start })
  for await (const { content, isCut } of blocks) {
    const { names, bytes, lines, unreadable } = readHeader(content, dialect)
    const reason = isCut ? sayTooLong(unreadable) : unreadable?.reason
    if (reason !== undefined) throw malformed(`the first line ${reason}`)
    skipped.bytes += bytes
    skipped.lines += lines
    if (names !== undefined) return { names, ...skipped }
  }
  throw malformed(dialect.header === 'none' ? 'there is no row' : 'there is no line of names')
}
