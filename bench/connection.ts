import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type Reply = { status: number; body: Buffer }

const headEnd = Buffer.from('\r\n\r\n')

/**
 * One keep-alive connection that sends requests as bytes made beforehand, one at a time. On a machine
 * of two cores a client that does more than this is slower than the server, and would be what is
 * measured. Replies must have a Content-Length.
 */
export class Connection {
  readonly socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #waiting: ((reply: Reply) => void) | undefined
  #failed: ((error: Error) => void) | undefined

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setNoDelay(true)
    socket.on('data', (bytes) => this.#take(bytes))
    socket.on('error', (error) => this.#failed?.(error))
    socket.on('close', () => this.#failed?.(new Error('the connection was closed')))
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect({ host: '127.0.0.1', port })
    await once(socket, 'connect')
    return new Connection(socket)
  }

  /** Sends a request and resolves with its reply. */
  async send(request: Buffer): Promise<Reply> {
    const reply = this.reply()
    this.socket.write(request)
    return reply
  }

  /** The reply to the request that is being written to the socket. */
  reply(): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#waiting = resolve
      this.#failed = reject
    })
  }

  close(): void {
    this.#failed = undefined
    this.socket.destroy()
  }

  #take(bytes: Buffer): void {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes])
    const headLength = this.#received.indexOf(headEnd)
    if (headLength === -1) return
    const head = this.#received.toString('latin1', 0, headLength)
    const bodyAt = headLength + headEnd.length
    const end = bodyAt + Number(/content-length: (\d+)/i.exec(head)?.[1])
    if (this.#received.length < end) return
    const reply = { status: Number(head.slice(9, 12)), body: this.#received.subarray(bodyAt, end) }
    this.#received = this.#received.subarray(end)
    this.#waiting?.(reply)
  }
}

/** The bytes of a request; the body is whole, so its length is told. */
export function requestBytes(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body: Buffer = Buffer.alloc(0),
): Buffer {
  const lines = Object.entries({
    host: 'localhost',
    ...headers,
    ...(method !== 'GET' && { 'content-length': String(body.length) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), body])
}

/** The reply's JSON; a status other than the expected one ends the run. */
export function expectJson(reply: Reply, status: number): unknown {
  if (reply.status !== status) throw new Error(`${reply.status}: ${reply.body.toString()}`)
  return JSON.parse(reply.body.toString())
}
