// @module-tag whole

import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { listen } from '../src/http/listen.ts'

test('a reader who takes nothing is cut off, and what was made for it ends', async () => {
  const listening = await listen({ host: '127.0.0.1', port: 0 }, { silenceMs: 200 })
  const ended = Promise.withResolvers<void>()
  let made = 0
  const bytes = async function* () {
    try {
      for (;;) {
        made += 1
        yield Buffer.alloc(256 * 1024)
      }
    } finally {
      ended.resolve()
    }
  }
  listening.answer((_request, response) => {
    const stream = Readable.from(bytes(), { objectMode: false, highWaterMark: 0 })
    response.once('close', () => stream.destroy())
    stream.pipe(response)
  })
  const client = connect(listening.port, '127.0.0.1')
  await once(client, 'connect')
  client.pause()
  client.on('error', () => {})
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await ended.promise
  // As much as fits into the buffers of the system.
  expect(made).toBeLessThan(1000)
  client.destroy()
  await listening.close()
})
