import { api, type Call, type CallName } from '@vitrine/contract'
import { callUrl } from '@vitrine/client'
import type { ComparableReply } from './comparable-reply.ts'

export type ReplayedRequest = {
  /** Call of the table that it is meant for, well or badly. */
  call: CallName | 'other'
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}

/** Requests one after the other, some of which depend on what was replied before. */
export type Requests<T = void> = Generator<ReplayedRequest, T, ComparableReply>

type Input = Record<string, unknown>

/** A request of a call. `search` is sent as it is, for queries that nobody should send. */
export function request(
  call: CallName,
  input: Input = {},
  { search, ...rest }: Partial<ReplayedRequest> & { search?: string } = {},
): ReplayedRequest {
  const { method }: Call = api[call]
  const path = callUrl({ baseUrl: '' }, api[call], input)
  return { call, method, path: search === undefined ? path : `${path}?${search}`, ...rest }
}

export function jsonRequest(call: CallName, input: Input, body: unknown): ReplayedRequest {
  return request(call, input, {
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** Parses the body of a reply in JSON. */
export function said({ body }: ComparableReply): unknown {
  return JSON.parse(String(body))
}
