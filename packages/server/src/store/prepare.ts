import type { RawBuilder } from 'kysely'
import type { Db } from './store.ts'

/** Runs a query that was prepared before: rows come as their columns, in the order of the query. */
export type Prepared<Parameters extends readonly unknown[], Row extends readonly unknown[]> = (
  ...parameters: Parameters
) => Promise<Row[]>

/** Prepares a query once; its parameters are the values of the template, in their order. */
export type Prepare = <Parameters extends readonly unknown[], Row extends readonly unknown[]>(
  query: RawBuilder<unknown>,
) => Prepared<Parameters, Row>

/** Prepares queries that see what a transaction has written so far. */
export function prepareOn(db: Db): Prepare {
  return <Parameters extends readonly unknown[], Row extends readonly unknown[]>(
    query: RawBuilder<unknown>,
  ): Prepared<Parameters, Row> => {
    const compiled = query.compile(db)
    return async (...parameters) => {
      const { rows } = await db.executeQuery<object>({ ...compiled, parameters })
      return rows.map((row) => Object.values(row) as unknown as Row)
    }
  }
}
