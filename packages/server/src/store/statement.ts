import { hash } from 'node:crypto'
import type { CompiledQuery, DialectAdapter } from 'kysely'
import { compileSlots, type WithSlots } from './prepare.ts'
import type { Db } from './store.ts'

/** Runs a statement on a database, or in a transaction of it. */
export type Statement<Parameters extends object, Row extends object> = (
  db: Db,
  parameters: Parameters,
) => Promise<Row[]>

/**
 * Makes a statement whose text is compiled once for each database; only the values of its named slots differ
 * from run to run. Building and compiling a query takes several times as long as SQLite takes to run it.
 */
export function statement<Parameters extends object, Row extends object = object>(
  build: WithSlots<Parameters>,
): Statement<Parameters, Row> {
  const compile = (db: Db) => {
    const { compiled, fill } = compileSlots(db, build)
    return { compiled, fill, name: hash('sha256', compiled.sql, 'base64url') }
  }
  const byAdapter = new WeakMap<object, ReturnType<typeof compile>>()
  return async (db, parameters) => {
    // Of a database and its transactions it is one object.
    const adapter: DialectAdapter & Partial<DirectAdapter> = db.getExecutor().adapter
    let cached = byAdapter.get(adapter)
    if (cached === undefined) {
      cached = compile(db)
      byAdapter.set(adapter, cached)
    }
    const { compiled, fill, name } = cached
    if (adapter.run !== undefined) return adapter.run(compiled.sql, fill(parameters)) as Row[]
    const query: NamedQuery = { ...compiled, parameters: fill(parameters), name }
    return (await db.executeQuery<Row>(query)).rows
  }
}

/**
 * Adapter of a database with one connection, on which a statement runs at once: the way through a query builder's
 * connections and promises is longer than most statements.
 */
export type DirectAdapter = {
  run: (text: string, parameters: readonly unknown[]) => object[]
}

/** A query that an engine may keep planned under its name, which no other text has. */
export type NamedQuery = CompiledQuery & { name?: string }
