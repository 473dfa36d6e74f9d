import { CellReader } from './cell-reader.ts'
import { type ColumnBuilder, buildColumn } from './column-builder.ts'
import type { RowLists } from './row-lists.ts'
import type { WrittenColumn } from './row-writer.ts'

/** Rows of a full group, unless it is to have others. */
const groupRows = 8192
/** Bytes of JSON with which a group is full, however few its rows are. */
const groupBytes = 4 * 1024 ** 2

/** Rows that a columnar format writes together, column by column. */
export class RowGroup {
  readonly columns: readonly ColumnBuilder[]
  readonly #rowsMax: number
  #count = 0
  #bytes = 0

  constructor(columns: readonly WrittenColumn[], rowsMax = groupRows) {
    this.columns = columns.map(buildColumn)
    this.#rowsMax = rowsMax
  }

  get count(): number {
    return this.#count
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  get isFull(): boolean {
    return this.#count >= this.#rowsMax || this.#bytes >= groupBytes
  }

  add(rows: RowLists): void {
    const { columns } = this
    const cells = new CellReader(rows)
    for (let row = 0; row < rows.count; row += 1) {
      for (let index = 0; index < columns.length; index += 1) columns[index]!.add(cells)
      cells.endRow()
    }
    this.#count += rows.count
    this.#bytes += rows.bytes.length
  }

  /** Forgets the rows, once they have been written. */
  clear(): void {
    for (const column of this.columns) column.clear()
    this.#count = 0
    this.#bytes = 0
  }
}
