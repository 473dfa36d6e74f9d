import { sql, type RawBuilder } from 'kysely'
import type { Db } from './store.ts'

/** Runs a query that was prepared before: rows come as their columns, in the order of the query. */
export type Prepared<Parameters extends object, Row extends readonly unknown[]> = (
  parameters: Parameters,
) => Promise<Row[]>

/** Prepares a query once; only the values of its named slots differ from run to run. */
export type Prepare = <Parameters extends object, Row extends readonly unknown[]>(
  build: WithSlots<Parameters>,
) => Prepared<Parameters, Row>

/** Prepares a query that is run with one set of parameters after the other, until there are `limit` rows. */
export type PrepareBatch = <Parameters extends object, Row extends readonly unknown[]>(
  build: WithSlots<Parameters>,
) => (batch: readonly Parameters[], limit: number) => Promise<Row[]>

/** A query with slots for the values that come when it is run. */
export type WithSlots<Parameters> = (
  slot: (name: keyof Parameters & string) => RawBuilder<unknown>,
) => RawBuilder<unknown>

/** Runs the sets of parameters of a batch together: the way to a database and back takes longer than most. */
export function batchOf(prepare: Prepare): PrepareBatch {
  return <Parameters extends object, Row extends readonly unknown[]>(
    build: WithSlots<Parameters>,
  ) => {
    const run = prepare<Parameters, Row>(build)
    return async (batch: readonly Parameters[], limit: number) => {
      const rows = await Promise.all(batch.map((parameters) => run(parameters)))
      return rows.flat().slice(0, limit)
    }
  }
}

class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Compiles a query for an engine, and says how its parameters are found. */
export function compileSlots<Parameters extends object>(db: Db, build: WithSlots<Parameters>) {
  const compiled = build((name) => sql.val(new Slot(name))).compile(db)
  const fill = (parameters: Parameters): unknown[] =>
    compiled.parameters.map((value) =>
      value instanceof Slot ? parameters[value.name as keyof Parameters] : value,
    )
  return { compiled, fill }
}

/** Prepares queries that see what a transaction has written so far. */
export function prepareOn(db: Db): Prepare {
  return <Parameters extends object, Row extends readonly unknown[]>(
    build: WithSlots<Parameters>,
  ): Prepared<Parameters, Row> => {
    const { compiled, fill } = compileSlots(db, build)
    return async (parameters) => {
      const { rows } = await db.executeQuery<object>({ ...compiled, parameters: fill(parameters) })
      return rows.map((row) => Object.values(row) as unknown as Row)
    }
  }
}

/** Prepares a change for any transaction; it gives the number of rows that it made. */
export function prepareChange<Parameters extends object>(
  db: Db,
  build: WithSlots<Parameters>,
): (transaction: Db, parameters: Parameters) => Promise<number> {
  const { compiled, fill } = compileSlots(db, build)
  return async (transaction, parameters) => {
    const result = await transaction.executeQuery({ ...compiled, parameters: fill(parameters) })
    return Number(result.numAffectedRows ?? 0n)
  }
}
