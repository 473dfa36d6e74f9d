import { csv, tsv, type Dialect } from '@vitrine/rows/parse-delimited'
import type { Dataset } from '../store/datasets.ts'
import type { ImportOptions } from './import-options.ts'
import type { ImportedFile } from './imported-file.ts'
import { malformed } from './malformed.ts'
import { openParquet } from './open-parquet.ts'
import { readHeader } from './read-header.ts'
import type { BlockConfig } from './rows/check-block.ts'
import {
  cutBlocks,
  endOfLine,
  endOfRecord,
  type Block,
  type BlockSizes,
} from './rows/cut-blocks.ts'

export type RowsFormat = 'ndjson' | 'csv' | 'tsv' | 'parquet'

/** A file of rows, ready to be checked block by block. */
export type OpenRows = {
  config: BlockConfig
  blocks: AsyncIterable<Block>
  /** Lines before the first row. */
  linesBefore: number
}

/**
 * Opens a file of rows.
 * @throws Failure IMPORT_MALFORMED
 */
export async function openRows(
  file: ImportedFile,
  {
    format,
    repo: { schema },
    options,
    sizes,
  }: { format: RowsFormat; repo: Dataset; options: ImportOptions; sizes: BlockSizes },
): Promise<OpenRows> {
  const { columns: mapping, guard } = options
  if (format === 'parquet') return openParquet(file, { schema, mapping })
  const start = await readStart(file)
  if (format === 'ndjson') {
    const blocks = cutBlocks(file.stream(start), { findEnd: endOfLine, start, sizes })
    return { config: { schema, format: 'ndjson', columns: mapping }, blocks, linesBefore: 0 }
  }
  const dialect = dialectOf(format, options)
  const header = await readHeader(file, { start, dialect, schema, mapping })
  const from = header.start
  const blocks = cutBlocks(file.stream(from), { findEnd: endOfRecord(dialect), start: from, sizes })
  const { columns, lines } = header
  return {
    config: { schema, format: 'delimited', dialect, columns, guard },
    blocks,
    linesBefore: lines,
  }
}

function dialectOf(
  format: 'csv' | 'tsv',
  { delimiter, quote }: Pick<ImportOptions, 'delimiter' | 'quote'>,
): Dialect {
  const usual = format === 'tsv' ? tsv : csv
  return { delimiter: delimiter ?? usual.delimiter, quote: quote ?? usual.quote }
}

/** How files begin that are no text in UTF-8. */
const beginnings: [bytes: string, reason: string][] = [
  ['fffe', 'is text in UTF-16, and must be in UTF-8'],
  ['feff', 'is text in UTF-16, and must be in UTF-8'],
  ['1f8b', 'is compressed by gzip, and must be sent unpacked'],
  ['28b52ffd', 'is compressed by zstd, and must be sent unpacked'],
  ['504b0304', 'is a zip archive'],
  ['50415231', 'is a Parquet file'],
]

/** No text begins with U+0000 among its first characters, and of UTF-16 every other byte is 0. */
const noText = 'is no text, or is text in UTF-16, and must be in UTF-8'

const byteOrderMark = 'efbbbf'

/** Where the text of a file begins. */
async function readStart(file: ImportedFile): Promise<number> {
  const head = (await file.read(0, Math.min(4, file.size))).toString('hex')
  for (const [bytes, reason] of beginnings) if (head.startsWith(bytes)) throw malformed(reason)
  if (/^(?:..)*00/.test(head)) throw malformed(noText)
  return head.startsWith(byteOrderMark) ? byteOrderMark.length / 2 : 0
}
