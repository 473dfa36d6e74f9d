import { once } from 'node:events'
import {
  createServer,
  request,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { RequestBody } from '../src/http/request-body.ts'

type Received = { sent: ClientRequest; received: IncomingMessage; response: ServerResponse }

async function receiveRequest(): Promise<Received> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sent = request({ port, host: '127.0.0.1', method: 'POST', agent: false })
  sent.on('error', () => {})
  sent.write('the beginning')
  const [received, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  return { sent, received, response }
}

/** A request whose whole body has come and whose connection was dropped before anybody read it. */
async function droppedRequest(): Promise<IncomingMessage> {
  const { sent, received } = await receiveRequest()
  sent.end()
  await expect.poll(() => received.complete).toBe(true)
  // Not by `once` of events, for which its error is one.
  const closed = new Promise((resolve) => received.once('close', resolve))
  sent.destroy()
  await closed
  return received
}

test('a body that nobody read before its connection was dropped is cut off', async () => {
  const body = new RequestBody(await droppedRequest(), { idleMs: 600_000 })
  await expect(buffer(body)).rejects.toMatchObject({
    code: 'REQUEST_INVALID',
    details: { problems: [{ reason: 'the body was cut off' }] },
  })
})

test('a body can be left while nothing more of it comes, and there is a reply', async () => {
  const { sent, received, response } = await receiveRequest()
  const body = new RequestBody(received, { idleMs: 600_000 })
  const reading = buffer(body)
  setImmediate(() => body.destroy(new Error('enough')))
  await expect(reading).rejects.toThrow('enough')
  await expect(buffer(body)).rejects.toThrow('enough')
  const replied = once(sent, 'response')
  response.end('too bad')
  const [reply] = (await replied) as [IncomingMessage]
  expect((await buffer(reply)).toString()).toBe('too bad')
})
