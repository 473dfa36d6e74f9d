import { request, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'

export type RawReply = { status: number; headers: IncomingHttpHeaders; body: string }

/** Sends a path and headers to the letter, where fetch would tidy them up. */
export function rawRequest(
  url: string,
  {
    path,
    method = 'GET',
    headers = {},
    signal,
  }: {
    path: string
    method?: string
    headers?: Record<string, string>
    signal?: AbortSignal
  },
): Promise<RawReply> {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<RawReply>()
  const sent = request(
    { hostname, port, path, method, headers, agent: false, ...(signal && { signal }) },
    (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      )
    },
  )
  sent.on('error', reject)
  sent.end()
  return promise
}
