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
  /** What a 409 returns beside code and message: the info of the existing dataset. */
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

/** https://www.sqlite.org/rescode.html#full */
const sqliteFull = 13

/** Whether an error of the system or the database says that a disk is full. */
export function saysFull(error: unknown): boolean {
  // Anything can be thrown, null included.
  const { code, errcode } = Object(error) as Record<string, unknown>
  return code === 'ENOSPC' || code === 'EDQUOT' || errcode === sqliteFull
}
