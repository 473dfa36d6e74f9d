import type { SQLInputValue } from 'node:sqlite'
import type { RawBuilder } from 'kysely'
import type { WorkerWrite } from '../worker-write.ts'
import type { Db } from '../store.ts'

/** A statement as one thread tells it another. */
export type WorkerStatement = { sql: string; parameters: SQLInputValue[] }

export type WriteTask = { claim: WorkerStatement; statements: WorkerStatement[] }

export function compileWorkerWrite(db: Db, { claim, statements }: WorkerWrite): WriteTask {
  const compile = (statement: RawBuilder<unknown>): WorkerStatement => {
    const { sql, parameters } = statement.compile(db)
    return { sql, parameters: [...parameters] as SQLInputValue[] }
  }
  return { claim: compile(claim), statements: statements.map(compile) }
}

/** The memory of bytes among the parameters. */
export function buffersOf({ statements }: WriteTask): Set<ArrayBuffer> {
  const values = statements.flatMap(({ parameters }) => parameters)
  return new Set(
    values
      .filter((value) => value instanceof Uint8Array)
      .map(({ buffer }) => buffer as ArrayBuffer),
  )
}
