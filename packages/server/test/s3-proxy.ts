import {
  createServer,
  request as forward,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { s3Url } from './engines.ts'

/**
 * Fault of a request: `lost` reaches the store, and its reply is not seen; `cut` is a reply that ends in its middle;
 * `taken` has a reply of success, whatever the store says.
 */
export type Fault = 'internal' | 'slow-down' | 'reset' | 'lost' | 'cut' | 'taken'

export type S3Proxy = {
  /** Such as `http://127.0.0.1:40123`. */
  endpoint: string
  /** Decides about each request. */
  fault: (request: { method: string; path: string }) => Fault | undefined
  /** Delays a request before it goes to the store. */
  hold: (request: { method: string; path: string }) => Promise<void> | undefined
  /** Date header of the store, when it is to differ. */
  date: string | undefined
  /** Requests that came, such as `PUT`. */
  requests: { method: string; path: string; fault: Fault | undefined }[]
  close: () => Promise<void>
}

/** Stands between a server and the tests' S3 server, and fails what it is told to. */
export async function startS3Proxy(): Promise<S3Proxy> {
  const target = new URL(new URL(s3Url!).searchParams.get('endpoint')!)
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const method = request.method!
    const path = request.url!
    const fault = proxy.fault({ method, path })
    proxy.requests.push({ method, path, fault })
    await proxy.hold({ method, path })
    if (fault === 'reset') return void request.socket.resetAndDestroy()
    if (fault === 'internal' || fault === 'slow-down') {
      request.resume()
      const [status, code] = fault === 'internal' ? [500, 'InternalError'] : [503, 'SlowDown']
      response.writeHead(status, { 'content-type': 'application/xml' })
      return void response.end(`<Error><Code>${code}</Code><Message>asked for</Message></Error>`)
    }
    // The signature covers the host that was asked for.
    const { hostname, port } = target
    const onward = forward({ hostname, port, method, path, headers: request.headers })
    request.on('error', () => onward.destroy())
    onward.on('error', () => response.destroy())
    request.pipe(onward)
    const [reply] = (await once(onward, 'response')) as [IncomingMessage]
    if (fault === 'lost') {
      reply.resume()
      return void request.socket.resetAndDestroy()
    }
    if (proxy.date !== undefined) reply.headers.date = proxy.date
    if (fault === 'taken' && reply.statusCode! >= 400) {
      reply.resume()
      response.writeHead(200, { etag: '"taken"' })
      // Of an upload in parts, the body says that it was done.
      return void response.end(method === 'POST' ? '<CompleteMultipartUploadResult/>' : '')
    }
    response.writeHead(reply.statusCode!, reply.headers)
    if (fault !== 'cut') return void reply.pipe(response)
    const length = Number(reply.headers['content-length'])
    const half = await firstBytes(reply, length / 2)
    response.write(half, () => request.socket.resetAndDestroy())
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const proxy: S3Proxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: () => undefined,
    hold: () => undefined,
    date: undefined,
    requests: [],
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}

async function firstBytes(source: AsyncIterable<Buffer>, count: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= count) break
  }
  return Buffer.concat(chunks).subarray(0, count)
}
