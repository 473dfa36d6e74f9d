import { Failure } from '../../failure.ts'

// https://www.postgresql.org/docs/current/errcodes-appendix.html

/** The transaction was undone because of another one, and may well succeed when it is run again. */
const conflicts = new Set(['40001', '40P01'])

/** SQLSTATE of a disk without room, of the class "insufficient resources". */
const diskFull = '53100'

/** SQLSTATE codes of a server that is shutting down, starting, full or read-only for now. */
const unavailable = /^(08...|57P0[1-5]|53300|53400|25006|58...)$/

/** A statement that was prepared is not there, or one that was not is. */
const statementElsewhere = new Set(['26000', '42P05'])

/** The transaction of a statement had failed before it. */
const transactionFailed = '25P02'

/** Node's codes of failed connections (`errno(3)`). */
const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Messages of `pg` for failed connections, which have no code. */
const connectionMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout e|Query read timeout)/

/** Takes too long: a statement, the wait for a lock, a transaction in which nothing happens. */
const timeouts = new Set(['57014', '55P03', '25P03'])

export function isConflict(error: unknown): boolean {
  return conflicts.has(codeOf(error))
}

/** Whether a statement was prepared on another connection than the one that it was sent to. */
export function isStatementElsewhere(error: unknown): boolean {
  return statementElsewhere.has(codeOf(error))
}

/**
 * Returns the error of several on one connection that the others may follow from: after a failure PostgreSQL refuses
 * the rest of its transaction, and prepares no statement for it.
 */
export function rootOf(errors: readonly unknown[]): unknown {
  const isRoot = (error: unknown) =>
    codeOf(error) !== transactionFailed && !isStatementElsewhere(error)
  return errors.find(isRoot) ?? errors.find(isStatementElsewhere) ?? errors[0]
}

/** Whether a connection is gone, and with it what was begun on it. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error)
  if (connectionErrors.has(code) || unavailable.test(code)) return true
  const { message } = Object(error instanceof Failure ? error.cause : error) as { message?: string }
  return code === '' && connectionMessages.test(message ?? '')
}

/** Returns the catalogued failure for an error of the database, where there is one. */
export function toFailure(error: unknown): unknown {
  if (error instanceof Failure) return error
  const code = codeOf(error)
  if (isConnectionLost(error)) return new Failure('STORAGE_UNAVAILABLE', { cause: error })
  if (code === diskFull) return new Failure('STORAGE_FULL', { cause: error })
  if (isConflict(error) || timeouts.has(code)) return new Failure('OVERLOADED', { cause: error })
  return error
}

function codeOf(error: unknown): string {
  const { code } = Object(error instanceof Failure ? error.cause : error) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}
