import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Fate of a request on its way: it passes, the server never receives it, its reply is lost, its reply is cut off after
 * some bytes of the body, or somebody refuses it.
 */
export type Fate =
  | 'pass'
  | 'lose request'
  | 'lose reply'
  | { cutAfter: number }
  | { status: number; body?: object; headers?: Record<string, string> }

export type BadLine = {
  url: string
  /** The fates of the requests to come, in order; those after them pass. */
  fates: Fate[]
  /** Headers that no reply gets through with, as of a server that does not send them. */
  withheld: Set<string>
  /** Method and path of all requests so far, with the moment at which each came, in milliseconds. */
  requests: { line: string; at: number }[]
  close: () => Promise<void>
}

/** A proxy before a server, by which a connection fails exactly where a test wants it to. */
export async function openBadLine(server: string): Promise<BadLine> {
  const fates: Fate[] = []
  const withheld = new Set<string>()
  const requests: BadLine['requests'] = []
  const proxy = createServer((incoming, reply) => {
    requests.push({ line: `${incoming.method} ${incoming.url}`, at: Date.now() })
    const fate = fates.shift() ?? 'pass'
    if (fate === 'lose request') return void incoming.socket.destroy()
    if (typeof fate === 'object' && 'status' in fate) {
      incoming.resume()
      reply.writeHead(fate.status, { 'content-type': 'application/json', ...fate.headers })
      return void reply.end(JSON.stringify(fate.body ?? {}))
    }
    const { method, headers } = incoming
    const forwarded = request(`${server}${incoming.url}`, { method, headers }, (answer) => {
      if (fate === 'lose reply') return void incoming.socket.destroy()
      const passing = Object.entries(answer.headers).filter(([name]) => !withheld.has(name))
      reply.writeHead(answer.statusCode ?? 0, Object.fromEntries(passing))
      if (fate === 'pass') return void answer.pipe(reply)
      let left = fate.cutAfter
      answer.on('data', (bytes: Buffer) => {
        if (left <= 0) return
        const passed = bytes.subarray(0, left)
        left -= passed.length
        // The client is to have what passed before its connection is cut.
        reply.write(passed, left > 0 ? undefined : () => incoming.socket.destroy())
      })
    })
    forwarded.on('error', () => incoming.socket.destroy())
    incoming.pipe(forwarded)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    fates,
    withheld,
    requests,
    close: async () => {
      const closed = once(proxy, 'close')
      proxy.close()
      proxy.closeAllConnections()
      await closed
    },
  }
}
