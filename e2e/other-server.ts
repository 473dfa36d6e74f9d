import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Feature } from '@vitrine/contract'
import { forwardRequest } from '../tools/forward-request.ts'
import { launchServer, type LaunchedServer } from './launch-server.ts'

export type Reply = { status: number; statusText?: string; body: string }
export type Alteration = (reply: Reply) => Reply | Promise<Reply>

/**
 * A server as somebody else may run it: the real one, reached through an address at which chosen
 * replies are altered on the way.
 */
export type OtherServer = {
  url: string
  behind: LaunchedServer
  /** Alters the replies to `GET /api/repo` and the like; a later alteration of the same goes first. */
  alter: (call: string, alteration: Alteration) => void
  /** Leaves a feature out of what the server announces, or all of them. */
  withhold: (feature?: Feature) => void
  /** Undoes every alteration. */
  restore: () => void
  close: () => Promise<void>
}

export async function startOtherServer(): Promise<OtherServer> {
  let alterations: { call: string; alteration: Alteration }[] = []
  let target = 0

  const pass = async (incoming: IncomingMessage, response: ServerResponse) => {
    const reply = await forwardRequest(incoming, target)
    const { pathname } = new URL(incoming.url ?? '', 'http://localhost')
    const found = alterations.find(({ call }) => call === `${incoming.method} ${pathname}`)
    if (found === undefined) {
      response.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(response)
      return
    }
    const body = (await buffer(reply)).toString()
    const altered = await found.alteration({ status: reply.statusCode ?? 500, body })
    const { 'content-length': _, 'transfer-encoding': __, ...headers } = reply.headers
    response.writeHead(altered.status, altered.statusText, headers).end(altered.body)
  }
  const server = createServer((incoming, response) => {
    pass(incoming, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const behind = await launchServer({ VITRINE_PUBLIC_URL: url })
  target = behind.port

  const alter = (call: string, alteration: Alteration) => {
    alterations.unshift({ call, alteration })
  }
  return {
    url,
    behind,
    alter,
    withhold: (feature) =>
      alter('GET /config.json', (reply) => {
        const config = JSON.parse(reply.body) as { features: string[] }
        const features = config.features.filter((each) => feature !== undefined && each !== feature)
        return { ...reply, body: JSON.stringify({ ...config, features }) }
      }),
    restore: () => {
      alterations = []
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await behind.remove()
    },
  }
}
