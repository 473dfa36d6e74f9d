import { expect, test } from 'vitest'
import { FairQueue } from '../src/runtime/fair-queue.ts'

/** Jobs that run until they are told to end. */
function jobsOf(queue: FairQueue) {
  const began: string[] = []
  const end = new Map<string, () => void>()
  const add = (owner: string, job: string) =>
    queue.run(owner, () => {
      began.push(job)
      return new Promise<void>((resolve) => end.set(job, resolve))
    })
  return { began, add, end: (job: string) => end.get(job)!() }
}

const turn = () => new Promise(setImmediate)

test('the job of one person does not wait for all queued jobs of another', async () => {
  const { began, add, end } = jobsOf(new FairQueue(2))
  for (const job of ['a1', 'a2', 'a3', 'a4']) void add('Ada', job)
  void add('Ben', 'b1')
  void add('Cleo', 'c1')
  void add('Ben', 'b2')
  await turn()
  expect(began).toEqual(['a1', 'a2'])
  for (const [job, next] of [
    ['a1', 'b1'],
    ['a2', 'c1'],
    ['c1', 'a3'],
    ['b1', 'b2'],
    ['a3', 'a4'],
  ] as const) {
    end(job)
    await turn()
    expect(began.at(-1)).toBe(next)
  }
  end('b2')
  end('a4')
  await turn()
  void add('Ada', 'a5')
  await turn()
  expect(began.at(-1)).toBe('a5')
})

test('a job that fails gives its place up', async () => {
  const queue = new FairQueue(1)
  const failing = queue.run('Ada', () => Promise.reject(new Error('failed')))
  const next = queue.run('Ben', async () => 'ran')
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('ran')
})
