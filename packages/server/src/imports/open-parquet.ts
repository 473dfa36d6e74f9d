// Runs on the main thread.

import { quote } from '@vitrine/contract'
import type { ParquetGroup, ParquetShape } from '@vitrine/rows/parquet/parquet-file'
import { type CheckPool, answersFor, runCheck } from './check-pool.ts'
import { type ImportedFile, malformed } from './import-file.ts'
import type { OpenRows } from './open-rows.ts'
import { toColumns, type ImportTarget } from './to-columns.ts'
import type { Block } from './rows/raw-row.ts'

/** Rows of a block, and about how many bytes they have at most, unless one row has more. */
const block = { rowsMax: 10_000, bytesMax: 16 * 1024 ** 2 }
/** Rows that are decoded together have about so many cells at most, and bytes, in each thread. */
const decoded = { cellsMax: 2_000_000, bytesMax: 64 * 1024 ** 2 }

/**
 * Opens a Parquet file.
 * @throws Failure IMPORT_MALFORMED
 */
export async function openParquet(
  file: ImportedFile,
  {
    pool,
    ...target
  }: ImportTarget & {
    pool: CheckPool
  },
): Promise<OpenRows> {
  const { columns: fileColumns, groups } = await describe(file, pool)
  const roles = toColumns(
    fileColumns.map(({ name }) => name),
    target,
  )
  const columns = fileColumns.flatMap((each, at) => {
    const column = roles[at]!
    if (column.kind === 'ignored') return []
    if (each.unfit !== undefined) throw malformed(`the column ${quote(each.name)} ${each.unfit}`)
    return [{ at, column }]
  })
  return {
    config: {
      schema: target.schema,
      match: target.match,
      format: 'parquet',
      columns,
      fileBytes: file.size,
    },
    blocks: cutGroups(groups, { fileBytes: file.size, columns: columns.length }),
    linesBefore: 0,
  }
}

/** A footer may be of many megabytes, so it is read in a thread, whose memory has a bound. */
async function describe(file: ImportedFile, pool: CheckPool): Promise<ParquetShape> {
  const reply = await pool.use(
    (session) => runCheck(session, 'describe', { fileBytes: file.size }),
    answersFor(file),
  )
  if (!reply.ok) throw malformed(reply.reason)
  return reply.value
}

async function* cutGroups(
  groups: readonly ParquetGroup[],
  { fileBytes, columns }: { fileBytes: number; columns: number },
): AsyncGenerator<Block> {
  const total = groups.reduce((sum, { rows }) => sum + rows, 0)
  let from = 0
  for (const { rows, bytes, nestedValues } of groups) {
    const to = from + rows
    const rowBytes = Math.max(1, bytes) / rows
    const blockRows = clamp(block.bytesMax / rowBytes, block.rowsMax)
    const decodedRows = clamp(
      decoded.bytesMax / rowBytes,
      decoded.cellsMax / (columns + nestedValues / rows),
    )
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
