import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errors, limits, type ErrorBody, type ErrorCode } from '@vitrine/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PersonalTokenFault } from '../access/personal-token.ts'
import { TokenFault } from '../access/token-fault.ts'
import { fail, failAt, Failure, storageFailure } from '../failure.ts'

/** Fastify's own refusals, as those of the catalogue. */
const frameworkCodes = new Map<unknown, ErrorCode>(
  Object.entries({
    FST_ERR_BAD_URL: 'ROUTE_NOT_FOUND',
    FST_ERR_MAX_PARAM_LENGTH: 'ROUTE_NOT_FOUND',
    FST_ERR_NOT_FOUND: 'ROUTE_NOT_FOUND',
    FST_ERR_CTP_INVALID_MEDIA_TYPE: 'MEDIA_TYPE_UNSUPPORTED',
    FST_ERR_CTP_BODY_TOO_LARGE: 'CONTENT_TOO_LARGE',
    FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'REQUEST_INVALID',
    FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'MEDIA_TYPE_UNSUPPORTED',
  } as const),
)

/** Every way out of a request other than success. */
export function sendErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply))
}

export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const failure = recordFailure(error, request)
  const { status } = errors[failure.code]
  if (status === 401) reply.header('www-authenticate', challenges(failure, request))
  if (failure.code === 'SCOPE_INSUFFICIENT') {
    reply.header('www-authenticate', scopeChallenge(failure))
  }
  if (status === 503) reply.header('retry-after', '1')
  // RFC 9110 §15.5.9: there is nothing more to expect on this connection.
  if (status === 408) reply.header('connection', 'close')
  void reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(toBody(failure)))
}

/** The refusal that an error is answered with; what an operator must know of it is logged. */
export function recordFailure(error: unknown, request: FastifyRequest): Failure {
  const failure = toFailure(error)
  logFault(failure.cause, request)
  if (failure.code === 'INTERNAL') request.log.error({ err: error }, 'request failed')
  if (failure.code === 'STORAGE_FULL') request.log.error({ err: error }, 'storage is full')
  if (failure.code === 'STORAGE_UNAVAILABLE') request.log.error({ err: error }, 'storage fails')
  return failure
}

function logFault(fault: unknown, request: FastifyRequest): void {
  if (fault instanceof PersonalTokenFault) {
    request.log.info({ reason: fault.message, token: fault.tokenId }, 'a token was refused')
  }
  if (!(fault instanceof TokenFault)) return
  const { message: reason, expected, found } = fault
  request.log.info({ reason, expected, found }, 'a token was refused')
}

function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  // Anything can be thrown, null included.
  const { code, statusCode } = Object(error) as Record<string, unknown>
  // What the file server refuses, such as a path that climbs out, is not there.
  if (statusCode === 403 || statusCode === 404) return fail('ROUTE_NOT_FOUND')
  return storageFailure(error) ?? fail(frameworkCodes.get(code) ?? 'INTERNAL')
}

/** The body of an error reply; a 409 on creation carries the existing dataset's info beside it. */
export function toBody({ code, details, existing }: Failure): ErrorBody {
  const { message } = errors[code]
  return { ...existing, code, message, ...(details !== undefined && { details }) }
}

function challenges(failure: Failure, { offersBasic }: FastifyRequest): string[] {
  const basic = 'Basic realm="vitrine", charset="UTF-8"'
  return [challenge(failure), ...(offersBasic === true ? [basic] : [])]
}

/** RFC 6750 §3.1. */
function scopeChallenge({ details }: Failure): string {
  return `Bearer realm="vitrine", error="insufficient_scope", scope="${details?.scope}"`
}

/** RFC 6750 §3: no error code where no token was sent. */
function challenge({ code }: Failure): string {
  if (code === 'TOKEN_MISSING') return 'Bearer realm="vitrine"'
  const description = code === 'TOKEN_EXPIRED' ? 'the token expired' : 'the token is not valid here'
  return `Bearer realm="vitrine", error="invalid_token", error_description="${description}"`
}

function malformedRequest({ code }: { code?: string }): Failure {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return fail('REQUEST_TIMEOUT')
  if (code !== 'HPE_HEADER_OVERFLOW') return fail('REQUEST_INVALID')
  const reason = `the address and the headers may have ${limits.headerBytes / 1024} KiB together; name the columns in the file as the fields are named, rather than map many of them`
  return failAt('HEADERS_TOO_LARGE', [{ path: [], reason }])
}

/** Answers what is not even a request; there is no application for it yet, only its socket. */
export function refuseMalformed(error: { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const failure = malformedRequest(error)
  const { status } = errors[failure.code]
  const body = JSON.stringify(toBody(failure))
  if (!socket.writable) return void socket.destroy()
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
