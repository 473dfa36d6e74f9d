import type { ColumnSource, SchemaElement } from 'hyparquet-writer'
import type { Cell } from '../store/item-rows.ts'
import type { SnapshotRows } from '../views/snapshot.ts'
import { cellOf, type ExportColumn } from './export-column.ts'
import { parseRows } from './parse-rows.ts'

/** Rows of one group: encoding one holds the event loop for some 20 ms. */
const groupRows = 8192

/** Writes rows as Parquet, column by column in groups, compressed by snappy. */
export async function* writeParquet(
  columns: readonly ExportColumn[],
  windows: AsyncIterable<SnapshotRows>,
): AsyncGenerator<Uint8Array> {
  // Few servers are asked for it, and all would hold it in memory.
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer')
  const bytes = new ByteWriter()
  const parquet = new ParquetWriter({
    writer: bytes,
    schema: toSchema(columns),
    createdBy: 'vitrine',
  })
  /** What was written since it was taken the last time. */
  const take = () => {
    const taken = bytes.getBytes().slice()
    bytes.index = 0
    return taken
  }
  const writeGroup = async (rows: Cell[][]) => {
    const columnData = columns.map((column): ColumnSource => {
      return { name: column.name, data: rows.map((row) => toParquet(column, cellOf(row, column))) }
    })
    await parquet.write({ columnData, rowGroupSize: rows.length })
    return take()
  }
  let rows: Cell[][] = []
  for await (const window of windows) {
    rows.push(...parseRows(window))
    if (rows.length < groupRows) continue
    yield await writeGroup(rows)
    rows = []
  }
  if (rows.length > 0) yield await writeGroup(rows)
  await parquet.finish()
  yield take()
}

const types: Record<ExportColumn['type'], Partial<SchemaElement>> = {
  id: { type: 'INT64', repetition_type: 'REQUIRED' },
  moment: {
    type: 'INT64',
    repetition_type: 'REQUIRED',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  reference: { type: 'INT64', repetition_type: 'OPTIONAL' },
  string: text(),
  binary: text(),
  digest: text(),
  mime: text(),
}

function text(): Partial<SchemaElement> {
  return {
    type: 'BYTE_ARRAY',
    repetition_type: 'OPTIONAL',
    converted_type: 'UTF8',
    logical_type: { type: 'STRING' },
  }
}

function toSchema(columns: readonly ExportColumn[]): SchemaElement[] {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, type }) => ({ name, ...types[type] })),
  ]
}

function toParquet({ type }: ExportColumn, cell: Cell): unknown {
  if (cell === null) return undefined
  if (type === 'moment') return new Date(cell)
  return typeof cell === 'number' ? BigInt(cell) : cell
}
