import type { RawBuilder } from 'kysely'
import type { Db } from './store.ts'

/** Runs a query that was compiled before; only its parameters differ. */
export type Prepared<Parameters extends readonly unknown[], Row> = (
  ...parameters: Parameters
) => Promise<Row[]>

/** Compiles a query once; its parameters are the values of the template, in their order. */
export function prepare<Parameters extends readonly unknown[], Row>(
  db: Db,
  query: RawBuilder<Row>,
): Prepared<Parameters, Row> {
  const compiled = query.compile(db)
  return async (...parameters) => (await db.executeQuery<Row>({ ...compiled, parameters })).rows
}
