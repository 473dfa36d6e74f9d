import {
  type Call,
  type ErrorBody,
  type ErrorCode,
  changeText,
  errorBody,
  errors,
  everyCallErrors,
  refusedRole,
} from '@vitrine/contract'

/** A reply without a code, as of another server, means something else by their status. */
const saidByCodeAlone: readonly ErrorCode[] = [
  'LOG_DAMAGED',
  'LOG_NOT_SIGNED',
  'VALUE_DAMAGED',
  'VIEW_NOT_READY',
]

/** Standard phrases (RFC 9110 §15) of the statuses that calls have. */
const phrases: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  409: 'Conflict',
  422: 'Unprocessable Content',
  500: 'Internal Server Error',
}

/** A call that did not succeed. `message` is the text of its code (docs/errors.md), or of its status. */
export class ApiError extends Error {
  override name = 'ApiError'
  /** HTTP status, or 0 when no reply came; that of success when its reply could not be understood. */
  readonly status: number
  /** The catalogued code, where the server gave one. */
  readonly code: ErrorCode | undefined
  /** Seconds after which the server would be asked again, where it said so. */
  readonly retryAfter: number | undefined
  /** Whether the connection failed, so that the outcome of the call is unknown. */
  readonly lost: boolean
  /** The body in the catalogue's shape, where the server gave one; a 409 carries the existing dataset's info. */
  readonly body: ErrorBody | undefined

  constructor(
    message: string,
    {
      status = 0,
      body,
      retryAfter,
      lost = false,
      cause,
    }: {
      status?: number
      body?: ErrorBody | undefined
      retryAfter?: number | undefined
      lost?: boolean
      cause?: unknown
    } = {},
  ) {
    super(message, { cause })
    this.status = status
    this.body = body
    this.retryAfter = retryAfter
    this.lost = lost
    this.code = body !== undefined && isErrorCode(body.code) ? body.code : undefined
  }

  /** Problems with their places, differences that were refused, and a role that is missing, one sentence each. */
  get problems(): string[] {
    const { problems = [], differences = [], ...details } = this.body?.details ?? {}
    const sentences = problems.map(({ path, reason }) =>
      path.length === 0 ? reason : `${placeText(path)}: ${reason}`,
    )
    const role = refusedRole(details)
    return [...sentences, ...differences.map(changeText), ...(role === undefined ? [] : [role])]
  }
}

/** Such as `schema.0.name`; what begins with a number is a row of a file: `row 2, name`. */
function placeText([first, ...rest]: readonly (string | number)[]): string {
  if (typeof first === 'string') return [first, ...rest].join('.')
  return [`row ${first}`, ...rest].join(', ')
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errors, code)
}

/** A cancelled request. */
export function requestAborted(cause: unknown): ApiError {
  return new ApiError('Request aborted', { cause })
}

/** No reply came. */
export function unreached(cause: unknown, what = 'The server could not be reached'): ApiError {
  return new ApiError(what, { lost: true, cause })
}

/** A reply of a status other than success. */
export type FailedReply = {
  status: number
  statusText: string
  text: string
  /** The header, as it came. */
  retryAfter?: string | null
}

/** The error that a reply of a status other than success stands for. */
export function replyError(call: Call, reply: FailedReply): ApiError {
  const { status, statusText, text } = reply
  const body = parseBody(text)
  const code = body?.code
  const usual = (among: readonly ErrorCode[]) => {
    const code = among.find(
      (each) => errors[each].status === status && !saidByCodeAlone.includes(each),
    )
    return code === undefined ? undefined : errors[code].message
  }
  const message =
    (code !== undefined && isErrorCode(code) ? errors[code].message : undefined) ??
    usual(call.errors) ??
    phrases[status] ??
    usual(everyCallErrors) ??
    `Generic Error: ${status}; ${statusText}; ${text}`
  return new ApiError(message, { status, body, retryAfter: seconds(reply.retryAfter) })
}

/** RFC 9110 §10.2.3; the form with a date, which servers of ours do not send, is passed over. */
function seconds(retryAfter: string | null | undefined): number | undefined {
  return /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined
}

function parseBody(text: string): ErrorBody | undefined {
  try {
    const parsed = errorBody.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
