import { api, queryText, type Api, type Call, type CallName } from '@vitrine/contract'
import type * as z from 'zod/mini'
import { ApiError, replyError, requestAborted } from './api-error.ts'

export type ClientOptions = {
  /** The server's root, such as `http://localhost:8080`; calls go to `/api/…` below it. */
  baseUrl: string
  /** The access token to send, asked for at every call. */
  token: () => string | undefined | Promise<string | undefined>
  /** Told of every 401, before the call fails. */
  onUnauthorized?: (() => void) | undefined
}

type ParamValue = string | number
type Params<C> = C extends { params: infer P extends z.ZodMiniType }
  ? { [K in keyof z.output<P>]: ParamValue }
  : unknown
type Query<C> = C extends { query: infer Q extends z.ZodMiniType } ? Partial<z.output<Q>> : unknown
type Body<C> = C extends { body: infer B }
  ? {
      body: B extends 'multipart'
        ? FormData
        : B extends 'bytes'
          ? BodyInit
          : B extends z.ZodMiniType
            ? unknown
            : never
    }
  : unknown

export type CallInput<N extends CallName> = Params<Api[N]> & Query<Api[N]> & Body<Api[N]>
export type CallReply<N extends CallName> = Api[N] extends { reply: infer R }
  ? R extends 'bytes'
    ? Blob
    : R extends z.ZodMiniType
      ? z.output<R>
      : never
  : void

export type CallOptions = { signal?: AbortSignal | undefined }

/** One method per entry of the table of calls; each throws `ApiError` unless the call succeeds. */
export type Client = {
  [N in CallName]: (input: CallInput<N>, options?: CallOptions) => Promise<CallReply<N>>
} & { readonly options: ClientOptions }

export function createClient(options: ClientOptions): Client {
  const methods = Object.fromEntries(
    Object.entries<Call>(api).map(([name, call]) => [
      name,
      (input: Record<string, unknown>, callOptions?: CallOptions) =>
        send(options, call, input, callOptions ?? {}),
    ]),
  )
  return { ...methods, options } as unknown as Client
}

async function send(
  options: ClientOptions,
  call: Call,
  input: Record<string, unknown>,
  { signal }: CallOptions,
): Promise<unknown> {
  const headers = await authorization(options)
  let body: BodyInit | undefined
  if (call.body === 'multipart' || call.body === 'bytes') {
    body = input['body'] as BodyInit
  } else if (call.body !== undefined) {
    body = JSON.stringify(input['body'])
    headers['content-type'] = 'application/json'
  }

  try {
    const response = await fetch(callUrl(options, call, input), {
      method: call.method,
      headers,
      ...(body !== undefined && { body }),
      ...(body instanceof ReadableStream && { duplex: 'half' }),
      ...(signal !== undefined && { signal }),
    })
    if (!response.ok) {
      throw failure(options, call, { ...statusOf(response), text: await response.text() })
    }
    if (call.reply === 'bytes') return await response.blob()
    if (call.reply === undefined) return undefined
    return parseReply(call, response.status, await response.text())
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (signal?.aborted === true) throw requestAborted(error)
    throw new ApiError('The server could not be reached', { cause: error })
  }
}

function statusOf({ status, statusText }: Response) {
  return { status, statusText }
}

export async function authorization(options: ClientOptions): Promise<Record<string, string>> {
  const token = await options.token()
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

/** The error of a failed reply, after `onUnauthorized` was told. */
export function failure(
  options: ClientOptions,
  call: Call,
  reply: { status: number; statusText: string; text: string },
): ApiError {
  if (reply.status === 401) options.onUnauthorized?.()
  return replyError(call, reply)
}

function parseReply(call: Call, status: number, text: string): unknown {
  try {
    return (call.reply as z.ZodMiniType).parse(JSON.parse(text))
  } catch (cause) {
    throw new ApiError('The server sent a reply that could not be understood', { status, cause })
  }
}

/** The address of a call: path parameters filled in, the query appended. */
export function callUrl(
  { baseUrl }: Pick<ClientOptions, 'baseUrl'>,
  call: Call,
  input: Readonly<Record<string, unknown>>,
): string {
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(String(input[key])),
  )
  const query = new URLSearchParams()
  for (const key of Object.keys(call.query?.shape ?? {})) {
    const value = input[key]
    if (value !== undefined) query.set(key, queryText(value))
  }
  const search = query.size > 0 ? `?${query}` : ''
  return `${baseUrl.replace(/\/$/, '')}${path}${search}`
}
