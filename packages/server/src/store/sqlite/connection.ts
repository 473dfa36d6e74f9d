import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import {
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteQueryCompiler,
  type FunctionNode,
  type SqliteDatabase,
  type SqliteStatement,
} from 'kysely'
import { writtenBy } from '../engine-sql.ts'
import { compileSlots, type Prepare, type Prepared, type WithSlots } from '../prepare.ts'
import type { DirectAdapter } from '../statement.ts'
import type { Tables } from '../tables.ts'
import type { TextBudget } from '../text-budget.ts'
import { addSqlFunctions } from './functions.ts'
import { openDatabase } from './open-database.ts'
import { sqliteSql } from './sqlite-sql.ts'

/** Statements kept prepared on one connection. */
const statementsKept = 500

export type SqliteConnection = {
  db: Kysely<Tables>
  /** Goes straight to the engine: of a point read, the way through a query builder is the most. */
  prepare: Prepare
  /** Whether commits wait until they are on the disk. They do until something else is said. */
  setSynced: (isSynced: boolean) => void
  /** Whether the definitions of tables are kept from being edited. They are until something else is said. */
  setDefensive: (isDefensive: boolean) => void
  /** Leaves it to others to empty the write-ahead log; gives how many pages of it are not copied yet. */
  leaveCheckpoints: () => () => number
  close: () => Promise<void>
}

/**
 * Opens one connection. Writers take `readOnly: false`; readers see only committed data. With a budget, statements
 * fail with TooMuchText whose functions would exceed it.
 */
export function openSqlite(
  file: string,
  options: { readOnly: boolean; textBudget?: TextBudget },
): SqliteConnection {
  const database = openDatabase(file, options)
  addSqlFunctions(database, options.textBudget)
  const db = new Kysely<Tables>({ dialect: new Dialect(adapt(database, options)) })
  let isSyncing = true
  const setSynced = (isSynced: boolean) => {
    if (isSynced === isSyncing) return
    database.exec(`PRAGMA synchronous = ${isSynced ? 'FULL' : 'NORMAL'}`)
    isSyncing = isSynced
  }
  // Earlier Nodes have no such method, and let them be edited.
  const setDefensive = (isDefensive: boolean) => database.enableDefensive?.(isDefensive)
  const leaveCheckpoints = () => {
    database.exec('PRAGMA wal_autocheckpoint = 0')
    // NOOP only looks, within two microseconds (https://www.sqlite.org/pragma.html#pragma_wal_checkpoint).
    const look = database.prepare('PRAGMA wal_checkpoint(NOOP)')
    return () => {
      const { log, checkpointed } = look.get() as { log: number; checkpointed: number }
      return log - checkpointed
    }
  }
  const close = async () => {
    // Kysely leaves a connection open that nothing was asked of.
    await db.destroy()
    if (database.isOpen) database.close()
  }
  const prepare = prepareDirectly(database, db)
  return { db, prepare, setSynced, setDefensive, leaveCheckpoints, close }
}

class Dialect extends SqliteDialect {
  readonly #database: SqliteDatabase

  constructor(database: SqliteDatabase) {
    super({ database })
    this.#database = database
  }

  override createAdapter() {
    return new Adapter(this.#database)
  }

  override createQueryCompiler() {
    return new Compiler()
  }
}

class Adapter extends SqliteAdapter implements DirectAdapter {
  readonly #database: SqliteDatabase

  constructor(database: SqliteDatabase) {
    super()
    this.#database = database
  }

  run(text: string, parameters: readonly unknown[]): object[] {
    const statement = this.#database.prepare(text)
    if (statement.reader) return statement.all(parameters) as object[]
    statement.run(parameters)
    return []
  }

  /**
   * Definitions of tables are rolled back like everything else, so an upgrade that is cut off leaves the
   * database as it was (https://www.sqlite.org/atomiccommit.html).
   */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class Compiler extends SqliteQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    const written = writtenBy(sqliteSql, node)
    if (written === undefined) super.visitFunction(node)
    else this.visitNode(written)
  }
}

function prepareDirectly(database: DatabaseSync, db: Kysely<Tables>): Prepare {
  return <Parameters extends object, Row extends readonly unknown[]>(
    build: WithSlots<Parameters>,
  ): Prepared<Parameters, Row> => {
    const { compiled, fill } = compileSlots(db, build)
    const statement = database.prepare(compiled.sql)
    statement.setReturnArrays(true)
    return async (parameters) =>
      statement.all(...(fill(parameters) as SQLInputValue[])) as unknown as Row[]
  }
}

/** The interface of Kysely's SQLite binding on `node:sqlite`, with a cache of statements by their text. */
function adapt(database: DatabaseSync, { readOnly }: { readOnly: boolean }): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => database.close(),
    prepare: (text) => {
      let statement = statements.get(text)
      if (statement === undefined) {
        // Otherwise a transaction that reads first fails at its first write, at once, where a command has
        // written in between (https://www.sqlite.org/rescode.html#busy_snapshot).
        const isWrite = text === 'begin' && !readOnly
        statement = adaptStatement(database.prepare(isWrite ? 'begin immediate' : text))
        if (text === 'rollback') statement = onlyInTransaction(database, statement)
      } else {
        statements.delete(text)
      }
      statements.set(text, statement)
      if (statements.size > statementsKept) statements.delete(statements.keys().next().value!)
      return statement
    },
  }
}

/**
 * A full disk makes SQLite roll back by itself, whether a statement or the commit meets it
 * (https://www.sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction). Rolling back
 * what is rolled back would fail, and that failure would stand in place of the one that matters.
 */
function onlyInTransaction(database: DatabaseSync, statement: SqliteStatement): SqliteStatement {
  return {
    ...statement,
    run: (values) =>
      database.isTransaction ? statement.run(values) : { changes: 0, lastInsertRowid: 0 },
  }
}

function adaptStatement(statement: StatementSync): SqliteStatement {
  type Values = Parameters<StatementSync['all']>
  return {
    reader: statement.columns().length > 0,
    all: (values) => statement.all(...(values as Values)),
    run: (values) => statement.run(...(values as Values)),
    iterate: (values) =>
      statement.iterate(...(values as Values)) as ReturnType<SqliteStatement['iterate']>,
  }
}
