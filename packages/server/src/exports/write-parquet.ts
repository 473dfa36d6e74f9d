import type { ColumnSource, SchemaElement } from 'hyparquet-writer'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { Cell } from '../store/item-rows.ts'
import type { SnapshotRows } from '../reading/snapshot.ts'
import type { ExportColumn } from './export-column.ts'
import { parseRows } from './parse-rows.ts'
import type { RowWriter } from './row-writer.ts'

/** Rows of one group, which are in memory together. */
const groupRows = 8192

/** Writes rows as Parquet, column by column in groups, compressed by snappy. */
export class ParquetRows implements RowWriter {
  readonly #columns: readonly ExportColumn[]
  readonly #bytes = new ByteWriter()
  readonly #parquet: ParquetWriter
  #rows: Cell[][] = []

  constructor(columns: readonly ExportColumn[]) {
    this.#columns = columns
    this.#parquet = new ParquetWriter({
      writer: this.#bytes,
      schema: toSchema(columns),
      createdBy: 'vitrine',
    })
  }

  begin(): Uint8Array<ArrayBuffer> {
    return this.#take()
  }

  /** Gives the bytes of a group when there are rows enough for one. */
  async write(rows: SnapshotRows): Promise<Uint8Array<ArrayBuffer>> {
    this.#rows.push(...parseRows(rows))
    if (this.#rows.length >= groupRows) await this.#writeGroup()
    return this.#take()
  }

  async end(): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#rows.length > 0) await this.#writeGroup()
    await this.#parquet.finish()
    return this.#take()
  }

  async #writeGroup(): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    const columnData = this.#columns.map((column, index): ColumnSource => {
      return { name: column.name, data: rows.map((row) => toParquet(column, row[index]!)) }
    })
    await this.#parquet.write({ columnData, rowGroupSize: rows.length })
  }

  /** What was written since it was taken the last time. */
  #take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.getBytes().slice()
    this.#bytes.index = 0
    return taken
  }
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
  seal: text(),
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
