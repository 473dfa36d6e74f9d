import {
  errors,
  limits,
  type Checked,
  type ErrorCode,
  type ErrorDetails,
  type Problem,
} from '@vitrine/contract'

/** A refusal of the catalogue, on its way to the client. */
export class Failure extends Error {
  override name = 'Failure'
  readonly code: ErrorCode
  readonly details: ErrorDetails | undefined
  /** The info of the existing dataset, which a 409 returns beside code and message. */
  readonly existing: object | undefined

  constructor(
    code: ErrorCode,
    {
      details,
      existing,
      cause,
    }: { details?: ErrorDetails | undefined; existing?: object; cause?: unknown } = {},
  ) {
    super(errors[code].message, { cause })
    this.code = code
    this.details = details
    this.existing = existing
  }
}

export function fail(code: ErrorCode, details?: ErrorDetails): Failure {
  return new Failure(code, { details })
}

/** A refusal that says what is wrong with each place: the first ones, and how many there are. */
export function failAt(
  code: ErrorCode,
  problems: Problem[],
  problemsTotal = problems.length,
): Failure {
  if (problemsTotal <= limits.problems) return new Failure(code, { details: { problems } })
  const details = { problems: problems.slice(0, limits.problems), problemsTotal }
  return new Failure(code, { details })
}

/** The value of a check that came out well; what did not is a refusal that says where and why. */
export function expectChecked<T>(code: ErrorCode, checked: Checked<T>): T {
  if (!checked.ok) throw failAt(code, checked.problems)
  return checked.value
}

/**
 * Primary result codes of SQLite, of which the low byte of others is one
 * (https://www.sqlite.org/rescode.html).
 */
const sqlite = { ioError: 10, full: 13, cannotOpen: 14 }

const fullCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT']
/** A disk that fails, and a process or a system that has as many files open as it may. */
const unavailableCodes: readonly unknown[] = ['EIO', 'EMFILE', 'ENFILE']

/** The refusal that an error of the system or the database stands for, where storage is full or fails. */
export function storageFailure(error: unknown): Failure | undefined {
  // Anything can be thrown, null included.
  const { code, errcode } = Object(error) as Record<string, unknown>
  const result = typeof errcode === 'number' ? errcode & 0xff : undefined
  if (fullCodes.includes(code) || result === sqlite.full) {
    return new Failure('STORAGE_FULL', { cause: error })
  }
  const isUnavailable =
    unavailableCodes.includes(code) || result === sqlite.ioError || result === sqlite.cannotOpen
  return isUnavailable ? new Failure('STORAGE_UNAVAILABLE', { cause: error }) : undefined
}
