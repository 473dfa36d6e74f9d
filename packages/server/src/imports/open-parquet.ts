import type { FileMetaData } from 'hyparquet'
import { quote, type SchemaField } from '@vitrine/contract'
import { parquetColumns } from '@vitrine/rows/parquet-columns'
import type { ImportedFile } from './imported-file.ts'
import { malformed } from './malformed.ts'
import type { OpenRows } from './open-rows.ts'
import { toColumns } from './read-header.ts'
import type { Block } from './rows/cut-blocks.ts'

/** Rows of a block, and about how many bytes they have at most, unless one row has more. */
const block = { rowsMax: 10_000, bytesMax: 16 * 1024 ** 2 }
/** What a group of rows may have: each of its columns is read as a whole. */
const group = { rowsMax: 2_000_000, bytesMax: 512 * 1024 ** 2 }
/** Rows that are decoded together have about so many cells at most, and bytes, in each thread. */
const decoded = { cellsMax: 2_000_000, bytesMax: 64 * 1024 ** 2 }
/** What a footer may take: the longest that are found describe tens of thousands of columns. */
const footerMax = 64 * 1024 ** 2

/**
 * Opens a Parquet file of flat columns.
 * @throws Failure IMPORT_MALFORMED
 */
export async function openParquet(
  file: ImportedFile,
  {
    schema,
    mapping,
  }: { schema: readonly SchemaField[]; mapping: Readonly<Record<string, string | null>> },
): Promise<OpenRows> {
  const metadata = await readMetadata(file)
  const found = parquetColumns(metadata)
  const roles = toColumns(
    found.map(({ name }) => name),
    { schema, mapping },
  )
  const columns = found.flatMap((each, index) => {
    const column = roles[index]!
    if (column.kind === 'ignored') return []
    if ('unfit' in each) throw malformed(`the column ${quote(each.name)} ${each.unfit}`)
    return [{ name: each.name, column }]
  })
  return {
    config: { schema, format: 'parquet', columns, fileBytes: file.size },
    blocks: cutGroups(metadata, { fileBytes: file.size, columns: columns.length }),
    linesBefore: 0,
  }
}

async function readMetadata(file: ImportedFile): Promise<FileMetaData> {
  const tail = await file.read(Math.max(0, file.size - 8), file.size)
  if (tail.length < 8 || tail.toString('latin1', 4) !== 'PAR1') {
    throw malformed('is no Parquet file, or is cut off')
  }
  if (tail.readUInt32LE(0) > Math.min(footerMax, file.size)) throw malformed('has no valid footer')
  const { parquetMetadataAsync } = await import('hyparquet')
  try {
    return await parquetMetadataAsync({
      byteLength: file.size,
      slice: async (start, end = file.size) => new Uint8Array(await file.read(start, end)).buffer,
    })
  } catch {
    throw malformed('has no valid footer')
  }
}

async function* cutGroups(
  metadata: FileMetaData,
  { fileBytes, columns }: { fileBytes: number; columns: number },
): AsyncGenerator<Block> {
  const total = Number(metadata.num_rows)
  let from = 0
  for (const { num_rows: rows, total_byte_size: bytes } of metadata.row_groups) {
    const to = from + Number(rows)
    if (to - from > group.rowsMax || bytes > group.bytesMax) {
      const reason = `has a group of ${to - from} rows and ${bytes} bytes: write it in smaller ones`
      throw malformed(reason, from + 1)
    }
    const rowBytes = Math.max(1, Number(bytes)) / (to - from)
    const blockRows = clamp(block.bytesMax / rowBytes, block.rowsMax)
    const decodedRows = clamp(decoded.bytesMax / rowBytes, decoded.cellsMax / columns)
    for (; from < to; from = Math.min(to, from + decodedRows)) {
      const together = { from, to: Math.min(to, from + decodedRows) }
      for (let at = from; at < together.to; at += blockRows) {
        const end = Math.min(together.to, at + blockRows)
        const content = { group: together, from: at, to: end }
        yield { content, end: Math.round((fileBytes * end) / total), isCut: false }
      }
    }
  }
}

/** A number of rows, one at least. */
function clamp(rows: number, rowsMax: number): number {
  return Math.max(1, Math.floor(Math.min(rows, rowsMax)))
}
