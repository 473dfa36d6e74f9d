import type { IncomingMessage } from 'node:http'
import { api, check, limits, type Api, type Call, type CallName } from '@vitrine/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type * as z from 'zod/mini'
import type { Identity } from '../auth/identity.ts'
import { fail, failAt } from '../failure.ts'
import { readJson } from './json-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who makes this request; there for every call of the table. */
    identity: Identity
  }
  interface FastifyContextConfig {
    /** The call that a route answers. */
    call?: CallName
  }
}

type Output<C, K extends string> =
  C extends Record<K, infer S extends z.ZodMiniType> ? z.output<S> : undefined

/** What a handler gets of a request: parameters and query parsed, the body as the table says. */
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
  request: FastifyRequest
  reply: FastifyReply
}

type Result<N extends CallName> = Api[N] extends { reply: infer R }
  ? R extends z.ZodMiniType
    ? z.input<R>
    : FastifyReply
  : void

/** Answers a call of the table; the status is the call's unless the handler sets another. */
type Handler<N extends CallName> = (received: Received<N>) => Promise<Result<N>>
export type Handlers = { [N in CallName]: Handler<N> }

/**
 * Binds handlers to their entries in the table by name; other methods on their paths are 405. The
 * instance stands at `/api`, where the paths of all entries begin.
 */
export function bindCalls(app: FastifyInstance, handlers: Handlers): void {
  const methodsByUrl = new Map<string, HTTPMethods[]>()
  for (const [name, handler] of Object.entries(handlers) as [CallName, Handler<CallName>][]) {
    const call: Call = api[name]
    const url = call.path.replace('/api', '').replaceAll(/\{(\w+)\}/g, ':$1')
    const methods: HTTPMethods[] = call.method === 'GET' ? ['GET', 'HEAD'] : [call.method]
    methodsByUrl.set(url, [...(methodsByUrl.get(url) ?? []), ...methods])
    app.route({
      method: methods,
      url,
      config: { call: name },
      handler: async (request, reply) => {
        const received = await receive(name, request, reply)
        reply.code(call.status)
        return handler(received as Received<CallName>)
      },
    })
  }
  for (const [url, allowed] of methodsByUrl) refuseOtherMethods(app, url, allowed)
}

async function receive(name: CallName, request: FastifyRequest, reply: FastifyReply) {
  const call: Call = api[name]
  return {
    params: parseParams(call, request.params),
    query: parseQuery(call, request.query as Record<string, unknown>),
    body: await readBody(call, request.raw),
    identity: request.identity,
    request,
    reply,
  }
}

function parseParams({ params, errors }: Call, given: unknown): unknown {
  if (params === undefined) return undefined
  const parsed = params.safeParse(given)
  if (parsed.success) return parsed.data
  // Only an item's id has a form, and what is no id names no item.
  throw fail(
    errors.includes('REPO_OR_ITEM_NOT_FOUND')
      ? 'REPO_OR_ITEM_NOT_FOUND'
      : 'DATASET_OR_ITEM_NOT_FOUND',
  )
}

function parseQuery({ query }: Call, given: Record<string, unknown>): unknown {
  if (query === undefined) {
    const [name] = Object.keys(given)
    if (name === undefined) return undefined
    throw failAt('QUERY_INVALID', [{ path: [name], reason: 'this call takes no query' }])
  }
  const checked = check(query, given)
  if (!checked.ok) throw failAt('QUERY_INVALID', checked.problems)
  return checked.value
}

function readBody({ body, bodyBytes = limits.jsonBytes }: Call, request: IncomingMessage) {
  if (body === undefined) return undefined
  return body === 'multipart' || body === 'bytes' ? request : readJson(request, bodyBytes)
}

/** RFC 9110 §15.5.6: the reply names what is allowed. The refusal comes before any body is read. */
export function refuseOtherMethods(app: FastifyInstance, url: string, allowed: string[]): void {
  app.route({
    method: app.supportedMethods.filter((method) => !allowed.includes(method)),
    url,
    onRequest: async (_request, reply) => {
      reply.header('allow', allowed.join(', '))
      throw fail('METHOD_NOT_ALLOWED')
    },
    handler: async () => undefined,
  })
}
