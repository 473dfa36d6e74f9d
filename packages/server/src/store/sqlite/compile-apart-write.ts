import type { SQLInputValue } from 'node:sqlite'
import { sql, type RawBuilder } from 'kysely'
import type { ApartWrite, ForEachRow } from '../apart-write.ts'
import type { Db } from '../store.ts'

/** A statement as one thread tells it another. */
export type ApartStatement = {
  sql: string
  parameters: SQLInputValue[]
  /** A list of rows in JSON, for each of which it runs. */
  rows?: Uint8Array<ArrayBuffer>
  /** Which parameters are the row's index, and which are its cells. */
  indexAt?: number[]
  cellsAt?: { parameter: number; cell: number }[]
}

export type ApartTask = { claim: ApartStatement; statements: ApartStatement[] }

/** Takes the place of a parameter that is another one for each row: its index, or a cell. */
class RowSlot {
  readonly cell: number | 'index'

  constructor(cell: number | 'index') {
    this.cell = cell
  }
}

export function compileApartWrite(db: Db, { claim, statements }: ApartWrite): ApartTask {
  return {
    claim: compile(db, claim),
    statements: statements.map((statement) =>
      'rows' in statement ? compileForEach(db, statement) : compile(db, statement),
    ),
  }
}

function compile(db: Db, statement: RawBuilder<unknown>): ApartStatement {
  const { sql: text, parameters } = statement.compile(db)
  return { sql: text, parameters: [...parameters] as SQLInputValue[] }
}

function compileForEach(db: Db, { rows, statement }: ForEachRow): ApartStatement {
  const slot = (cell: RowSlot['cell']) => sql.val(new RowSlot(cell))
  const forRow = statement({ index: slot('index'), cell: slot, from: sql`` })
  const { sql: text, parameters } = forRow.compile(db)
  const indexAt: number[] = []
  const cellsAt: NonNullable<ApartStatement['cellsAt']> = []
  for (const [parameter, value] of parameters.entries()) {
    if (!(value instanceof RowSlot)) continue
    if (value.cell === 'index') indexAt.push(parameter)
    else cellsAt.push({ parameter, cell: value.cell })
  }
  return {
    sql: text,
    parameters: parameters.map(
      (value) => (value instanceof RowSlot ? null : value) as SQLInputValue,
    ),
    rows,
    indexAt,
    cellsAt,
  }
}
