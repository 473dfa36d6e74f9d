import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Request ids as proxies and tracers make them: UUIDs, hexadecimal, base64. */
const form = /^[\w.~+/=:@-]{1,128}$/

/** The id of a request in the log and in its reply: what its `x-request-id` says, or else a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && form.test(given) ? given : randomUUID()
}
