import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { streamBody } from '../src/http/body-stream.ts'

/** A request whose whole body has come and whose connection was dropped before anybody read it. */
async function droppedRequest(): Promise<IncomingMessage> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sent = request({ port, host: '127.0.0.1', method: 'POST', agent: false })
  sent.on('error', () => {})
  sent.end('the whole body')
  const [received] = (await once(server, 'request')) as [IncomingMessage]
  await expect.poll(() => received.complete).toBe(true)
  // Not by `once` of events, for which its error is one.
  const closed = new Promise((resolve) => received.once('close', resolve))
  sent.destroy()
  await closed
  return received
}

test('a body that nobody read before its connection was dropped is cut off', async () => {
  const body = streamBody(await droppedRequest(), { idleMs: 600_000 })
  await expect(buffer(body)).rejects.toMatchObject({
    code: 'REQUEST_INVALID',
    details: { problems: [{ reason: 'the body was cut off' }] },
  })
})
