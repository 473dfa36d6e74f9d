import type { DatabaseConnection, Driver, QueryResult } from 'kysely'
import type { NamedQuery } from '../statement.ts'
import type { Connection, Connections } from './connections.ts'

/**
 * Each time for this transaction alone: whoever pools connections by transaction forgets what was set
 * for longer. A row is locked for no longer than others wait for it, whatever became of a process.
 */
const begin = [
  'begin isolation level read committed',
  "set local statement_timeout = '30s'",
  "set local lock_timeout = '10s'",
  "set local idle_in_transaction_session_timeout = '30s'",
].join('; ')

/** The interface of a Kysely driver. */
export class PostgresDriver implements Driver {
  readonly #connections: Connections

  constructor(connections: Connections) {
    this.#connections = connections
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<HeldConnection> {
    return new HeldConnection(await this.#connections.connect())
  }

  async beginTransaction({ connection }: HeldConnection): Promise<void> {
    await connection.query(begin)
  }

  async commitTransaction({ connection }: HeldConnection): Promise<void> {
    const { command } = await connection.query('commit')
    // That is how a transaction ends in which a statement had failed.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
  }

  async rollbackTransaction(held: HeldConnection): Promise<void> {
    try {
      await held.connection.query('rollback')
    } catch {
      // Closing the connection rolls back too, and what went wrong before is what matters.
      held.isSpent = true
    }
  }

  async releaseConnection({ connection, isSpent }: HeldConnection): Promise<void> {
    connection.release(isSpent)
  }

  destroy(): Promise<void> {
    return this.#connections.end()
  }
}

/** Driver that only reads, outside of transactions: each query on any connection. */
export class PostgresReadDriver implements Driver {
  readonly #connections: Connections
  readonly #connection: DatabaseConnection

  constructor(connections: Connections) {
    this.#connections = connections
    this.#connection = {
      executeQuery: async <R>(query: NamedQuery) =>
        toResult<R>(await connections.read(toPgQuery(query), [...query.parameters])),
      streamQuery: refuse,
    }
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
  beginTransaction = refuse
  commitTransaction = refuse
  rollbackTransaction = refuse
  async releaseConnection(): Promise<void> {}
  destroy(): Promise<void> {
    return this.#connections.end()
  }
}

class HeldConnection implements DatabaseConnection {
  readonly connection: Connection
  isSpent = false
  streamQuery = refuse

  constructor(connection: Connection) {
    this.connection = connection
  }

  async executeQuery<R>(query: NamedQuery): Promise<QueryResult<R>> {
    return toResult<R>(await this.connection.query(toPgQuery(query), [...query.parameters]))
  }
}

function toPgQuery({ sql: text, name }: NamedQuery): string | { name: string; text: string } {
  return name === undefined ? text : { name, text }
}

type PgResult = Awaited<ReturnType<Connection['query']>>

function toResult<R>({ rows, rowCount, command }: PgResult): QueryResult<R> {
  const isChange = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE'
  return isChange ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
}

function refuse(): never {
  throw new Error('these connections do not do that')
}
