import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { forwardRequest } from './forward-request.ts'

/** One address for servers that are the same: each request goes to the next of them. */
export type RoundRobin = {
  port: number
  /** The ports of the servers; without any, connections are dropped. */
  targets: number[]
  close: () => Promise<void>
}

export async function startRoundRobin(): Promise<RoundRobin> {
  let turn = 0
  const pass = async (incoming: IncomingMessage, response: ServerResponse) => {
    turn += 1
    const { targets } = roundRobin
    if (targets.length === 0) return void response.destroy()
    const reply = await forwardRequest(incoming, targets[turn % targets.length]!)
    response.writeHead(reply.statusCode!, reply.statusMessage, reply.rawHeaders)
    await pipeline(reply, response)
  }
  const server = createServer((incoming, response) => {
    // As if there were nothing between the two.
    pass(incoming, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const roundRobin: RoundRobin = {
    port: (server.address() as AddressInfo).port,
    targets: [],
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => {
        server.close(() => resolve())
      })
    },
  }
  return roundRobin
}
