import type { SQLInputValue } from 'node:sqlite'
import type { RawBuilder } from 'kysely'
import type { ApartWrite } from '../worker-write.ts'
import type { Db } from '../store.ts'

/** A statement as one thread tells it another. */
export type ApartStatement = { sql: string; parameters: SQLInputValue[] }

export type ApartTask = { claim: ApartStatement; statements: ApartStatement[] }

export function compileApartWrite(db: Db, { claim, statements }: ApartWrite): ApartTask {
  const compile = (statement: RawBuilder<unknown>): ApartStatement => {
    const { sql, parameters } = statement.compile(db)
    return { sql, parameters: [...parameters] as SQLInputValue[] }
  }
  return { claim: compile(claim), statements: statements.map(compile) }
}

/** The memory of bytes among the parameters. */
export function buffersOf({ statements }: ApartTask): Set<ArrayBuffer> {
  const values = statements.flatMap(({ parameters }) => parameters)
  return new Set(
    values
      .filter((value) => value instanceof Uint8Array)
      .map(({ buffer }) => buffer as ArrayBuffer),
  )
}
