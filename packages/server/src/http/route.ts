import type { IncomingMessage } from 'node:http'
import { type Api, type Call, type CallName, api, check, limits } from '@vitrine/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type * as z from 'zod/mini'
import findMyWay from 'find-my-way'
import type { Identity } from '../access/identity.ts'
import { fail, failAt } from '../failure.ts'
import { readJson } from './json-body.ts'
import { JsonText } from './final-replies.ts'
import type { Permission } from '../reading/compiled-datasets.ts'
import type { Visibility } from '../store/visibility.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who makes this request; there for every call of the table. */
    identity: Identity
    /** Datasets that they may read. */
    visibility: Visibility
    /** Text of the signed link in its query, of a call that takes one. */
    link?: string | undefined
    /** Permission for it, where its handler has to check that. */
    permission?: Permission | undefined
    /** Whether a 401 to it offers Basic beside Bearer. */
    offersBasic?: boolean
  }
  interface FastifyContextConfig {
    /** The call that a route answers. */
    call?: CallName
  }
}

/**
 * Calls whose handlers check the permission while they read: they are called most, and on PostgreSQL the check takes as
 * long as the read.
 */
export const checkingCalls: ReadonlySet<CallName> = new Set(['datasetItemGet', 'datasetItemList'])

type Output<C, K extends string> =
  C extends Record<K, infer S extends z.ZodMiniType> ? z.output<S> : undefined

/** A request as a handler gets it: parameters and query parsed, the body as the call table says. */
type Received<N extends CallName> = {
  params: Output<Api[N], 'params'>
  query: Output<Api[N], 'query'>
  /**
   * JSON as it came, for the operation to check, as what a description may say depends on more than
   * its shape; `multipart` and `bytes` are the request's stream, unread.
   */
  body: Api[N] extends { body: infer B }
    ? B extends 'multipart' | 'bytes'
      ? IncomingMessage
      : unknown
    : undefined
  identity: Identity
  visibility: Visibility
  request: FastifyRequest
  reply: FastifyReply
}

type Result<N extends CallName> = Api[N] extends { reply: infer R }
  ? R extends z.ZodMiniType
    ? z.input<R> | JsonText<z.input<R>>
    : FastifyReply
  : void

/** Answers a call of the table; the status is the call's unless the handler sets another. */
type Handler<N extends CallName> = (received: Received<N>) => Promise<Result<N>>
export type Handlers = { [N in CallName]: Handler<N> }

/**
 * Binds handlers to their entries in the table by name; other methods on their paths are 405. The
 * instance stands at `/api`, where the paths of all entries begin.
 */
export function bindCalls(
  app: FastifyInstance,
  handlers: Handlers,
  bounds: { jsonBodyMs: number },
): void {
  const methodsByUrl = new Map<string, HTTPMethods[]>()
  for (const [name, handler] of Object.entries(handlers) as [CallName, Handler<CallName>][]) {
    const call: Call = api[name]
    const url = call.path
      .replace('/api', '')
      .replace(/\{\w+\.\.\.\}$/, '*')
      .replaceAll(/\{(\w+)\}/g, ':$1')
    const methods: HTTPMethods[] = call.method === 'GET' ? ['GET', 'HEAD'] : [call.method]
    methodsByUrl.set(url, [...(methodsByUrl.get(url) ?? []), ...methods])
    app.route({
      // A browser asks before a page of another site reads by a link (`cross-origin.ts`).
      method: call.takesLink ? [...methods, 'OPTIONS'] : methods,
      url,
      config: { call: name },
      handler: async (request, reply) => {
        const received = {
          params: parseParams(call, request.params),
          query: parseQuery(call, request.query as Record<string, unknown>),
          body: call.body && (await readBody(call, request.raw, bounds.jsonBodyMs)),
          identity: request.identity,
          visibility: request.visibility,
          request,
          reply,
        }
        reply.code(call.status)
        const result: unknown = await handler(received as Received<CallName>)
        if (!(result instanceof JsonText)) return result
        reply.header('content-type', 'application/json; charset=utf-8')
        return result.text
      },
    })
  }
  refuseOtherMethods(app, methodsByUrl)
}

function parseParams({ path, params, errors }: Call, input: unknown): unknown {
  if (params === undefined) return undefined
  const [, rest] = /\{(\w+)\.\.\.\}$/.exec(path) ?? []
  const { '*': last, ...named } = input as Record<string, string>
  const parsed = params.safeParse(rest === undefined ? named : { ...named, [rest]: last })
  if (parsed.success) return parsed.data
  // Only an id has a form, and what is no id names nothing.
  const codes = ['REPO_OR_ITEM_NOT_FOUND', 'DELETED_NOT_FOUND'] as const
  throw fail(codes.find((code) => errors.includes(code)) ?? 'DATASET_OR_ITEM_NOT_FOUND')
}

/** U+0000 is in no name, and not every database takes it in a question. */
export function withoutNul(params: Record<string, string>): Record<string, string> {
  const entries = Object.entries(params)
  if (entries.every(([, text]) => !text.includes('\0'))) return params
  return Object.fromEntries(entries.map(([name, text]) => [name, text.replaceAll('\0', '\ufffd')]))
}

function parseQuery({ query }: Call, input: Record<string, unknown>): unknown {
  if (query === undefined) {
    const [name] = Object.keys(input)
    if (name === undefined) return undefined
    throw failAt('QUERY_INVALID', [{ path: [name], reason: 'this call takes no query' }])
  }
  const checked = check(query, input)
  if (!checked.ok) throw failAt('QUERY_INVALID', checked.problems)
  return checked.value
}

function readBody(
  { body, bodyBytes: maxBytes = limits.jsonBytes }: Call,
  request: IncomingMessage,
  maxMs: number,
) {
  if (body === 'multipart' || body === 'bytes') return request
  return readJson(request, { maxBytes, maxMs })
}

/**
 * Longest parameter of the router: 128 characters of a name, each at most 4 bytes of UTF-8, each byte 3 characters of
 * an address.
 */
export const paramLengthMax = 128 * 4 * 3

/**
 * Refuses methods that an address has not (RFC 9110 §15.5.6), which the reply names, before any body is
 * read. One tree of addresses is asked: routes to refuse each method at each address, over a thousand,
 * took a quarter of the time that a server starts in. Every request of the instance is to have a route.
 */
export function refuseOtherMethods(
  app: FastifyInstance,
  methodsByUrl: ReadonlyMap<string, readonly string[]>,
): void {
  // Its method is any, as the addresses are kept once for all.
  const addresses = findMyWay({ maxParamLength: paramLengthMax })
  for (const [url, allowed] of methodsByUrl) {
    addresses.on('GET', `${app.prefix}${url}`, () => undefined, allowed)
  }
  app.addHook('onRequest', (request, reply, done) => {
    const match = addresses.find('GET', request.raw.url ?? '')
    const allowed = match?.store as readonly string[] | undefined
    if (allowed === undefined || allowed.includes(request.method)) return done()
    reply.header('allow', allowed.join(', '))
    done(fail('METHOD_NOT_ALLOWED'))
  })
}

/** Returns a signal that is aborted when the connection closes. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return gone.signal
}
