import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { errors, limits } from '@vitrine/contract'
import { ConfigError } from '../config.ts'
import { fail, failAt, type Failure } from '../failure.ts'
import { toBody } from './errors.ts'

/** In milliseconds. */
const times = {
  headers: 60_000,
  keepAlive: 72_000,
  /** How long running requests may go on once the server is to stop: Docker kills it after 10 s. */
  finish: 8000,
}

/** How long nothing may move on a connection; a whole upload or download may take as long as it takes. */
const usualSilenceMs = 120_000

export type Listening = {
  server: Server
  /** The port; another than asked for when that was 0. */
  port: number
  /** Hands the requests over to the application. */
  answer: (application: RequestListener) => void
  /** Stops accepting, and resolves once what runs is finished. */
  close: () => Promise<void>
}

/**
 * Listens before there is anything to answer, so that the port is known to everything that is built;
 * until the application takes over, requests are told to come back.
 * @throws ConfigError when the address cannot be had
 */
export async function listen(
  { host, port }: { host: string; port: number },
  { silenceMs = usualSilenceMs }: { silenceMs?: number | undefined } = {},
): Promise<Listening> {
  const server = createServer(
    {
      headersTimeout: times.headers,
      requestTimeout: 0,
      maxHeaderSize: limits.headerBytes,
    },
    notReady,
  )
  server.keepAliveTimeout = times.keepAlive
  server.setTimeout(silenceMs)
  const unused = new Set<Socket>()
  server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }) => unused.delete(socket))
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (error) {
    throw new ConfigError(sentenceOf(error, { host, port }), { cause: error })
  }
  let closing: Promise<void> | undefined
  return {
    server,
    port: (server.address() as AddressInfo).port,
    answer: (application) =>
      server
        .off('request', notReady)
        .on('request', (request, response) =>
          (hasOneHost(request) ? application : twoHosts)(request, response),
        ),
    close: () => (closing ??= closeServer(server, unused)),
  }
}

const notReady: RequestListener = (_request, response) =>
  refuse(response, fail('OVERLOADED'), { 'retry-after': '1' })

/** Node takes the first of two; what stands before the server may have taken the other (RFC 9112 §3.2). */
function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  const names = rawHeaders.filter((_, at) => at % 2 === 0)
  return names.filter((name) => name.toLowerCase() === 'host').length <= 1
}

const twoHosts: RequestListener = (_request, response) => {
  const failure = failAt('REQUEST_INVALID', [{ path: ['host'], reason: 'must be one' }])
  refuse(response, failure, { connection: 'close' })
}

function refuse(response: ServerResponse, failure: Failure, headers: OutgoingHttpHeaders): void {
  response
    .writeHead(errors[failure.code].status, {
      'content-type': 'application/json; charset=utf-8',
      ...headers,
    })
    .end(JSON.stringify(toBody(failure)))
}

function sentenceOf(error: unknown, { host, port }: { host: string; port: number }): string {
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is taken: set VITRINE_PORT to another one, or stop what uses it.`
    case 'EACCES':
      return `Port ${port} may not be used by this account: set VITRINE_PORT to one above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `VITRINE_HOST ${host} is no address of this machine.`
    default:
      return `The server cannot listen on ${host} port ${port}: ${message}.`
  }
}

/** @param unused connections on which no request has arrived */
async function closeServer(server: Server, unused: ReadonlySet<Socket>): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  // A connection that has just answered is kept alive, and would keep the server from ending. So
  // would one that a browser has opened in case it is needed, which Node does not count as idle.
  const idle = setInterval(() => {
    server.closeIdleConnections()
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy()
  }, 50)
  const finish = setTimeout(() => server.closeAllConnections(), times.finish)
  await closed
  clearInterval(idle)
  clearTimeout(finish)
}
