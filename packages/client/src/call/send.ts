import { type Call, type ScanProgress, queryText } from '@vitrine/contract'
import { type FailedReply, ApiError, replyError, requestAborted, unreached } from './api-error.ts'
import { usualRetries, withRetries } from './retry.ts'

export type ClientOptions = {
  /** The server's root, such as `http://localhost:8080`; calls go to `/api/…` below it. */
  baseUrl: string
  /** The access token to send, asked for at every call. */
  token: () => string | undefined | Promise<string | undefined>
  /** Called on every 401, before the call fails. */
  onUnauthorized?: (() => void) | undefined
  /** How often a call that failed is made again where that is safe; 3 by default. */
  retries?: number | undefined
}

export type CallOptions = {
  signal?: AbortSignal | undefined
  /** Called with the progress of a view by a reply that is not yet the whole one. */
  onPartial?: ((progress: ScanProgress) => void) | undefined
}

/** Arguments of a call: path parameters, query parameters and the body, by their names. */
export type Input = Readonly<Record<string, unknown>>

/**
 * Makes a call and reads its reply.
 * @throws ApiError unless it succeeds
 */
export function send<T>(
  options: ClientOptions,
  call: Call,
  {
    input,
    signal,
    read,
  }: {
    input: Input
    signal: AbortSignal | undefined
    /** Reads a reply of success; its body is lost with the connection as much as its status is. */
    read: (response: Response) => Promise<T>
  },
): Promise<T> {
  const attempt = async () => {
    const init = await requestInit(options, call, input)
    try {
      const response = await fetch(callUrl(options, call, input), {
        ...init,
        ...(signal !== undefined && { signal }),
      })
      if (!response.ok) throw await failureOf(options, call, response)
      return await read(response)
    } catch (error) {
      throw error instanceof ApiError ? error : noReply(error, signal)
    }
  }
  const resendable = !(input['body'] instanceof ReadableStream)
  const { retries = usualRetries } = options
  return withRetries(attempt, { call, retries, resendable, signal })
}

async function requestInit(
  options: ClientOptions,
  call: Call,
  input: Input,
): Promise<RequestInit & { duplex?: 'half' }> {
  const headers = await authorization(options)
  if (call.body === undefined) return { method: call.method, headers }
  if (call.body === 'multipart' || call.body === 'bytes') {
    const body = input['body'] as BodyInit
    const streamed = body instanceof ReadableStream
    return { method: call.method, headers, body, ...(streamed && { duplex: 'half' as const }) }
  }
  headers['content-type'] = 'application/json'
  return { method: call.method, headers, body: JSON.stringify(input['body']) }
}

export async function authorization(options: ClientOptions): Promise<Record<string, string>> {
  const token = await options.token()
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

/** The error of a reply of a status other than success, after `onUnauthorized` was told. */
export async function failureOf(
  options: ClientOptions,
  call: Call,
  response: Response,
): Promise<ApiError> {
  const { status, statusText, headers } = response
  const text = await response.text()
  return failure(options, call, {
    status,
    statusText,
    text,
    retryAfter: headers.get('retry-after'),
  })
}

export function failure(options: ClientOptions, call: Call, reply: FailedReply): ApiError {
  if (reply.status === 401) options.onUnauthorized?.()
  return replyError(call, reply)
}

/** Why there was no reply. */
function noReply(cause: unknown, signal: AbortSignal | undefined): ApiError {
  return signal?.aborted === true ? requestAborted(cause) : unreached(cause)
}

/** The address of a call: path parameters filled in, the query appended. */
export function callUrl(
  { baseUrl }: Pick<ClientOptions, 'baseUrl'>,
  call: Call,
  input: Input,
): string {
  const path = call.path.replaceAll(/\{(\w+)(?:\.\.\.)?\}/g, (_, key: string) =>
    encodeURIComponent(String(input[key])),
  )
  const query = new URLSearchParams()
  const own = Object.keys(call.query?.shape ?? {})
  for (const key of call.takesLink ? [...own, 'link'] : own) {
    const value = input[key]
    if (value !== undefined) query.set(key, queryText(value))
  }
  const search = query.size > 0 ? `?${query}` : ''
  return `${baseUrl.replace(/\/$/, '')}${path}${search}`
}
