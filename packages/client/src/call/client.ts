import { type Api, type Call, type CallName, type Item, api } from '@vitrine/contract'
import type * as z from 'zod/mini'
import { type ItemsOptions, items } from './items.ts'
import { readReply } from './read-reply.ts'
import { type CallOptions, type ClientOptions, type Input, send } from './send.ts'

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

/** One method per entry of the table of calls; each throws `ApiError` unless the call succeeds. */
export type Client = {
  [N in CallName]: (input: CallInput<N>, options?: CallOptions) => Promise<CallReply<N>>
} & {
  /** The items of a dataset, read page by page as they are asked for. */
  items: (datasetId: string, options?: ItemsOptions) => AsyncGenerator<Item, void, undefined>
  readonly options: ClientOptions
}

export function createClient(options: ClientOptions): Client {
  const methods = Object.fromEntries(
    Object.entries<Call>(api).map(([name, call]) => [
      name,
      (input: Input, { signal, onPartial }: CallOptions = {}) =>
        send(options, call, {
          input,
          signal,
          read: (response) => readReply(call, response, onPartial),
        }),
    ]),
  )
  return {
    ...methods,
    items: (datasetId: string, itemsOptions?: ItemsOptions) =>
      items(options, datasetId, itemsOptions),
    options,
  } as unknown as Client
}

/**
 * Makes a call and leaves the body of its reply unread, for values and exports that are too large to
 * be held at once. A body that is cut off is not asked for again.
 * @throws ApiError unless the call succeeds
 */
export function openReply<N extends CallName>(
  { options }: Client,
  name: N,
  input: CallInput<N>,
  { signal }: CallOptions = {},
): Promise<Response> {
  return send(options, api[name], { input: input as Input, signal, read: async (reply) => reply })
}
