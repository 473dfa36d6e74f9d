import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Dialect,
  type Driver,
  type FunctionNode,
  type Kysely,
} from 'kysely'
import { writtenBy } from '../engine-sql.ts'
import { postgresSql } from './postgres-sql.ts'

class Compiler extends PostgresQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    const written = writtenBy(postgresSql, node)
    if (written === undefined) super.visitFunction(node)
    else this.visitNode(written)
  }
}

/** PostgreSQL for Kysely, by a driver of ours. */
export function postgresDialect(driver: Driver): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new Compiler(),
  }
}
