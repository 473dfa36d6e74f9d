import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'

/** Sends a request on to a port of loopback as it comes; its reply, when that begins. */
export async function forwardRequest(
  incoming: IncomingMessage,
  port: number,
): Promise<IncomingMessage> {
  const forwarded = request({
    host: '127.0.0.1',
    port,
    method: incoming.method,
    path: incoming.url,
    headers: incoming.headers,
    agent: false,
  })
  incoming.pipe(forwarded)
  // Whoever asked is gone, or the server is.
  incoming.once('error', () => forwarded.destroy())
  const [reply] = (await once(forwarded, 'response')) as [IncomingMessage]
  return reply
}
