import { type AsyncBuffer, type Compressors, type FileMetaData, parquetMetadata } from 'hyparquet'
import { compressors as anySize } from 'hyparquet-compressors'
import { limits } from '@vitrine/contract/limits'
import { leavesOf } from './nested-column.ts'
import { type ParquetColumn, parquetColumns } from './parquet-columns.ts'
import type { ReachedPage } from './read-column-chunk.ts'
import { readParquetColumn } from './read-parquet-column.ts'
import { UnreadableFile } from '../row-batch.ts'
import { InvalidValue } from '../invalid-value.ts'
import { hasMoreValues } from './thrift-values.ts'
import { UnpackBudget, unpackedMax } from '../unpacked-bound.ts'

/** Bytes of a file, from one to another, the last left out. */
export type ParquetBytes = AsyncBuffer

/** Rows that are written together, and the bytes of their columns. */
export type ParquetGroup = {
  rows: number
  bytes: number
  /** Values of nested columns, of which a row may have any number. */
  nestedValues: number
}

/** Columns and row groups by the footer; of more columns than a file may have, one more is kept. */
export type ParquetShape = {
  columns: { name: string; /** Why it is not read. */ unfit?: string }[]
  groups: readonly ParquetGroup[]
}

export type RowRange = { from: number; to: number }

/** The most of a footer: each column of a group has some 25 values, which take some 1.5 KB once they are read. */
const footer = { bytesMax: 64 * 1024 ** 2, valuesMax: 4_000_000 }
/** The most of a row group: each of its columns is read as a whole. */
const group = { rowsMax: 2_000_000, bytesMax: 512 * 1024 ** 2 }
const groupsMax = 100_000
/** The most bytes of pages that are decoded together. */
const decodedMax = 512 * 1024 ** 2

/** A Parquet file, whose columns are read one by one. */
export class ParquetFile {
  readonly #file: ParquetBytes
  readonly #metadata: FileMetaData
  readonly #reached = new Map<number, ReachedPage>()
  readonly columns: readonly ParquetColumn[]
  readonly groups: readonly ParquetGroup[]

  constructor(file: ParquetBytes, metadata: FileMetaData) {
    this.#file = file
    this.#metadata = metadata
    this.columns = parquetColumns(metadata)
    const nested = new Set(
      this.columns.flatMap((column) =>
        'nested' in column ? leavesOf(column.nested).map((_, at) => column.chunk + at) : [],
      ),
    )
    this.groups = metadata.row_groups.map(({ num_rows: rows, total_byte_size: bytes, columns }) => {
      const counts = columns.map(({ meta_data: meta }, at) =>
        nested.has(at) ? Number(meta?.num_values ?? 0) : 0,
      )
      const nestedValues = counts.reduce((sum, count) => sum + count, 0)
      return { rows: Number(rows), bytes: Number(bytes), nestedValues }
    })
  }

  /**
   * Reads the footer of a file.
   * @throws UnreadableFile
   */
  static async open(file: ParquetBytes): Promise<ParquetFile> {
    const { byteLength: size } = file
    const tail = new DataView(await file.slice(Math.max(0, size - 8), size))
    if (tail.byteLength < 8 || tail.getUint32(4) !== magic) {
      throw new UnreadableFile('is no Parquet file, or is cut off')
    }
    const end = size - tail.byteLength
    const start = end - tail.getUint32(0, true)
    if (start < 0 || end - start > footer.bytesMax) throw new UnreadableFile(noFooter)
    const bytes = await file.slice(start, size)
    const opened = parse(file, bytes)
    opened.#requireFittingGroups()
    return opened
  }

  get shape(): ParquetShape {
    const columns = this.columns.slice(0, limits.columns + 1).map((column) => {
      return 'unfit' in column ? { name: column.name, unfit: column.unfit } : { name: column.name }
    })
    return { columns, groups: this.groups }
  }

  /**
   * Reads columns of some rows. Of a column that no text says each value is unfit.
   * @param decompressZstd of a page to so many bytes, where that is there
   * @throws UnreadableFile
   */
  async read(
    columns: readonly ParquetColumn[],
    rows: RowRange,
    decompressZstd?: Decompress,
  ): Promise<unknown[][]> {
    const source = {
      file: this.#file,
      metadata: this.#metadata,
      compressors: { ...anySize, ...(decompressZstd && { ZSTD: decompressZstd }) },
      budget: new UnpackBudget(Math.min(decodedMax, unpackedMax(this.#file.byteLength))),
      reached: this.#reached,
    }
    const values: unknown[][] = []
    try {
      for (const column of columns) {
        values.push(
          'unfit' in column
            ? Array.from({ length: rows.to - rows.from }, () => new InvalidValue(column.unfit))
            : await readParquetColumn(source, column, rows),
        )
      }
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new UnreadableFile(`cannot be decoded: ${why}`, { cause })
    }
    return values
  }

  #requireFittingGroups(): void {
    if (this.groups.length > groupsMax) {
      throw new UnreadableFile(`has more than ${groupsMax} groups of rows: write it in larger ones`)
    }
    const negative = this.groups.find(({ rows }) => rows < 0)
    if (negative !== undefined) throw new UnreadableFile(`has a group of ${negative.rows} rows`)
    const large = this.groups.find(
      ({ rows, bytes }) => rows > group.rowsMax || bytes > group.bytesMax,
    )
    if (large === undefined) return
    const { rows, bytes } = large
    throw new UnreadableFile(
      `has a group of ${rows} rows and ${bytes} bytes: write it in smaller ones`,
    )
  }
}

function parse(file: ParquetBytes, bytes: ArrayBuffer): ParquetFile {
  let hasTooMany = false
  try {
    hasTooMany = hasMoreValues(new Uint8Array(bytes), footer.valuesMax)
    // GeoParquet is marked by a loop that a negative number of children never ends; its bytes stay bytes anyway.
    if (!hasTooMany) return new ParquetFile(file, parquetMetadata(bytes, { geoparquet: false }))
  } catch (cause) {
    throw new UnreadableFile(noFooter, { cause })
  }
  throw new UnreadableFile(
    `has a footer of more than ${footer.valuesMax} values: write it in larger groups of rows`,
  )
}

/** `PAR1` */
const magic = 0x50415231
const noFooter = 'has no valid footer'

type Decompress = NonNullable<Compressors['ZSTD']>
