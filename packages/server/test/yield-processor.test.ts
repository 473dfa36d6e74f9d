import { once } from 'node:events'
import { getPriority, platform } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

test('a thread with long work yields the processor, and the others keep their turn', async () => {
  const before = getPriority()
  const thread = new Worker(new URL('./yielding-thread.ts', import.meta.url), { execArgv: [] })
  const yielding = platform() === 'linux' ? Math.min(before + 10, 19) : before
  // The last message may come with the end.
  const ended = once(thread, 'exit')
  expect(await once(thread, 'message')).toEqual([yielding])
  expect(getPriority()).toBe(before)
  await ended
})
