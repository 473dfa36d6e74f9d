import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { SignedInServer } from './signed-in-server.ts'

/** People who look at one page after the other, with a pause after each. */
export type Readers = { port: number; token: string; users: number; pauseMs: number }

/** For how long each page took that people read while some work went on, in milliseconds. */
export async function pageLatencies(
  { server, token }: SignedInServer,
  work: () => Promise<unknown>,
): Promise<number[]> {
  const readers: Readers = { port: server.port, token, users: 8, pauseMs: 20 }
  const thread = new Worker(new URL('./readers-thread.ts', import.meta.url), {
    workerData: readers,
  })
  const took = once(thread, 'message') as Promise<[number[]]>
  await work()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  thread.postMessage('over')
  return (await took)[0]
}
