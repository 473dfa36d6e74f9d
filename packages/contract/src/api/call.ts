import * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import type { CallRole } from './role.ts'
import type { CallScope } from './token.ts'

type Schema = z.ZodMiniType

/** Body of a request: JSON by a schema, `multipart/form-data`, or the bare bytes of one value. */
export type CallBody = Schema | 'multipart' | 'bytes'

/** One call of the API: the entry that its route, client method, query key and documentation share. */
export type Call = {
  summary: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Parameters stand in braces, as in OpenAPI; the last one may end with `...` and takes slashes too. */
  path: string
  /** Scope that a personal access token needs; `session` for calls that no token may make. */
  scope: CallScope
  role: CallRole
  /** Set where a signed link to the dataset serves instead of a sign-in, by the query parameter `link`. */
  takesLink?: true
  params?: Schema
  query?: z.ZodMiniObject
  body?: CallBody
  /** The most bytes of a JSON body; `limits.jsonBytes` where nothing is said. */
  bodyBytes?: number
  /** Set on a POST or PATCH that changes nothing when it is repeated, and has the same reply. */
  repeatable?: true
  /** The status of success. */
  status: 200 | 201 | 204
  /** Body of the reply: JSON, the bytes of a value, or nothing. */
  reply?: Schema | 'bytes'
  /** The status where what was asked for was there already, with the same reply. */
  repeatStatus?: 200
  /** The media types of a reply of bytes, where it is not any. */
  replyTypes?: readonly string[]
  /**
   * The errors of this call beside `everyCallErrors`. A reply that names none is taken for the first
   * of its status, so `INTERNAL` stands where that status has a text of its own.
   */
  errors: readonly ErrorCode[]
}

/** Whether a call creates datasets, or is about the installation: no token serves for it that is for some datasets only. */
export function needsAllDatasets({ scope, role }: Pick<Call, 'scope' | 'role'>): boolean {
  return role === 'creator' || (role === 'anyone' && scope === 'manage')
}

/** Errors that any call may give. */
export const everyCallErrors = [
  'QUERY_INVALID',
  'TOKEN_MISSING',
  'TOKEN_INVALID',
  'TOKEN_EXPIRED',
  'SCOPE_INSUFFICIENT',
  'TOKEN_LIMITED',
  'LINK_INVALID',
  'FORBIDDEN',
  'INTERNAL',
  'OVERLOADED',
  'PROVIDER_UNAVAILABLE',
  'STORAGE_UNAVAILABLE',
] as const satisfies ErrorCode[]
