import {
  Pool,
  types as pgTypes,
  type CustomTypesConfig,
  type PoolClient,
  type QueryArrayConfig,
  type QueryConfig,
  type QueryResult,
} from 'pg'
import { Failure } from '../../failure.ts'
import { isConnectionLost, isStatementElsewhere, toFailure } from './sql-state.ts'

/**
 * A connection is given up after these, in milliseconds, so that nothing waits for ever. The server ends
 * a statement by itself; of one that it says nothing of for longer, the connection is lost without a word.
 */
const limits = { connecting: 5_000, statement: 30_000, silence: 40_000 }

/** The machine asks by itself whether the other one is there, once nothing was said for so long. */
const keepAliveMs = 10_000

/**
 * Exponential back-off between connection attempts. Then one is made at a time, while all other queries are
 * refused at once.
 */
const backoff = { firstMs: 50, maxMs: 2_000 }

/** https://github.com/brianc/node-pg-types: what PostgreSQL calls its types of numbers. */
const numberTypes = new Set([pgTypes.builtins.INT8, pgTypes.builtins.NUMERIC])

/** All numbers of ours are whole, and JavaScript counts them exactly. */
const types: CustomTypesConfig = {
  getTypeParser: (type) => (numberTypes.has(type) ? Number : pgTypes.getTypeParser(type)),
}

/**
 * Statements that a connection keeps planned for us, at most, as each takes the server some 20 KB; others
 * are planned each time. What is asked for changes, and so do the tables that were planned for: after so
 * many seconds a connection is replaced by one that begins anew.
 */
const planned = { statementsMax: 200, seconds: 60 }

/**
 * With `query_timeout`, in milliseconds, for what may take longer than other statements; under a `name`
 * that no other text has, it is parsed and planned once for each connection.
 */
type Query = string | ((QueryArrayConfig | QueryConfig) & { query_timeout?: number })

export type Connection = {
  query: (query: Query, values?: unknown[]) => Promise<QueryResult>
  release: (discard?: boolean) => void
}

/**
 * Some connections to PostgreSQL, made when they are needed and again after they were lost. What fails
 * is a `Failure` where the catalogue has one.
 */
export class Connections {
  readonly #pool: Pool
  #ended: Promise<void> | undefined
  #failures = 0
  /** The error of the last attempt to connect. */
  #failure: unknown
  #triedAgainAt = 0
  #isTrying = false
  /** Until one turns out to be on another connection. */
  #findsStatements = true
  readonly #statements = new WeakMap<PoolClient, Set<string>>()

  constructor(
    url: string,
    {
      max,
      silenceMs = limits.silence,
      pipeline = false,
    }: {
      max: number
      silenceMs?: number
      /**
       * Sends a query without waiting for the answers to those before it
       * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING).
       */
      pipeline?: boolean
    },
  ) {
    this.#pool = new Pool({
      connectionString: url,
      max,
      pipeline,
      maxLifetimeSeconds: planned.seconds,
      types,
      application_name: 'vitrine',
      connectionTimeoutMillis: limits.connecting,
      query_timeout: silenceMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      // Of a pooler's own connections this may reach some and not others; writes set it for themselves.
      // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it
      onConnect: (client) => client.query(`set statement_timeout = ${limits.statement}`),
    })
    // An idle connection failed: the next caller opens another.
    this.#pool.on('error', () => undefined)
  }

  /** @throws Failure STORAGE_UNAVAILABLE */
  async connect(): Promise<Connection> {
    const isTrial = this.#failures > 0 && this.#pool.idleCount === 0
    if (isTrial && (this.#isTrying || performance.now() < this.#triedAgainAt)) {
      throw new Failure('STORAGE_UNAVAILABLE', { cause: this.#failure })
    }
    if (isTrial) this.#isTrying = true
    let client: PoolClient
    try {
      client = await this.#pool.connect()
    } catch (error) {
      if (this.#pool.totalCount === 0 && isConnectionLost(error)) this.#backOff(error)
      throw toFailure(error)
    } finally {
      if (isTrial) this.#isTrying = false
    }
    this.#failures = 0
    let isLost = false
    let hasFailed = false
    const noteLost = () => {
      isLost = true
    }
    // Without somebody who listens, a connection that is lost between two queries ends the process.
    client.on('error', noteLost)
    return {
      query: async (query, values) => {
        try {
          return await client.query(this.#asPlanned(client, query) as string, values)
        } catch (error) {
          if (isConnectionLost(error)) isLost = true
          // In a transaction that has failed nothing is prepared, for those either that were sent before that was known.
          if (isStatementElsewhere(error) && !hasFailed) this.#findsStatements = false
          hasFailed = true
          throw toFailure(error)
        }
      },
      release: (discard = false) => {
        client.off('error', noteLost)
        client.release(discard || isLost)
      },
    }
  }

  /**
   * Runs one query that only reads, once more where its connection turns out to be lost, or where it is not
   * the one that keeps the statement: whoever pools connections by transaction gives each another one.
   */
  async read(query: Query, values?: unknown[]): Promise<QueryResult> {
    const connection = await this.connect()
    try {
      return await readOn(connection, query, values)
    } catch (error) {
      if (!isStatementElsewhere(error) && !isConnectionLost(error)) throw error
    }
    return readOn(await this.connect(), query, values)
  }

  /** May be called again. */
  end(): Promise<void> {
    return (this.#ended ??= this.#pool.end())
  }

  #asPlanned(client: PoolClient, query: Query): Query {
    if (typeof query === 'string' || query.name === undefined) return query
    if (this.#findsStatements) {
      const statements = this.#statements.get(client) ?? new Set()
      this.#statements.set(client, statements)
      if (statements.size < planned.statementsMax) statements.add(query.name)
      if (statements.has(query.name)) return query
    }
    const { name: _, ...unnamed } = query
    return unnamed
  }

  #backOff(failure: unknown): void {
    this.#failure = failure
    const waitMs = Math.min(backoff.maxMs, backoff.firstMs * 2 ** this.#failures)
    this.#failures += 1
    this.#triedAgainAt = performance.now() + waitMs
  }
}

async function readOn(
  connection: Connection,
  query: Query,
  values: unknown[] | undefined,
): Promise<QueryResult> {
  try {
    return await connection.query(query, values)
  } finally {
    connection.release()
  }
}
