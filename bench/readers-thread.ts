import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { Connection, requestBytes } from './connection.ts'
import type { Readers } from './page-latencies.ts'

// In a thread of its own, so that nothing else that a measurement does keeps a reply waiting.

const measurement = parentPort!
const { port, token, users, pauseMs } = workerData as Readers
/** Pages of 20 of 100,000 items. */
const pages = 5000

const took: number[] = []
const over = new AbortController()
let asked = 0
const reading = Array.from({ length: users }, async () => {
  const connection = await Connection.open(port)
  while (!over.signal.aborted) {
    const page = (asked++ * 7) % pages
    const request = requestBytes('GET', `/api/dataset/items-100000/item?page=${page}`, {
      authorization: `Bearer ${token}`,
    })
    const began = performance.now()
    const { status } = await connection.send(request)
    took.push(performance.now() - began)
    if (status !== 200) throw new Error(`a page was answered with ${status}`)
    await sleep(pauseMs)
  }
  connection.close()
})
measurement.once('message', () => over.abort())
await Promise.all(reading)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
measurement.postMessage(took)
