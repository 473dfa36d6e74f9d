import type { DelimitedOptions } from '../text/delimited-record.ts'
import { type ColumnKind, kindOf } from './column-kinds.ts'
import type { RowLists } from './row-lists.ts'
import { writeDelimited } from './write-delimited.ts'
import { writeNdjson } from './write-ndjson.ts'

export type { ColumnKind } from './column-kinds.ts'

export type WrittenColumn = {
  name: string
  kind: ColumnKind
  /** Whether every row has a value. */
  isRequired?: boolean
}

/** Writes a file of rows, some after the other. What it gives lies in memory of its own. */
export type RowWriter = {
  /** The bytes before those of the first row. */
  begin: () => Uint8Array<ArrayBuffer>
  /** The bytes that are known with these rows. */
  write: (rows: RowLists) => Uint8Array<ArrayBuffer>
  /** The bytes that end the file. */
  end: () => Uint8Array<ArrayBuffer>
}

export type WrittenFormat =
  | { kind: 'ndjson' }
  | ({ kind: 'delimited' } & DelimitedOptions)
  | ({ kind: 'parquet' } & ParquetOptions)
  | { kind: 'arrow' }
  /** The XML of a sheet, which a workbook has among other parts. */
  | { kind: 'sheet' }

export type ParquetOptions = {
  compressZstd?: CompressZstd
  /** Rows of a group, which take more memory and fewer requests of whoever reads one column. */
  groupRows?: number
}

/** Compresses by zstd, which browsers cannot: Parquet is compressed by snappy without it. */
export type CompressZstd = (bytes: Uint8Array) => Uint8Array

/** Opens the writer of a format, which brings what it needs only where it is written. */
export async function openRowWriter(
  format: WrittenFormat,
  columns: readonly WrittenColumn[],
): Promise<RowWriter> {
  switch (format.kind) {
    case 'ndjson':
      return writeNdjson(columns)
    case 'delimited':
      return writeDelimited(columns, format)
    case 'parquet':
      return (await import('./write-parquet.ts')).writeParquet(columns, {
        ...format,
        arrowSchema: columns.some((column) => kindOf(column).parquet.isOfArrow)
          ? (await import('./arrow-schema.ts')).encodeArrowSchema(columns)
          : undefined,
      })
    case 'arrow':
      return (await import('./write-arrow.ts')).writeArrow(columns)
    case 'sheet':
      return (await import('./write-sheet.ts')).writeSheet(columns)
  }
}
