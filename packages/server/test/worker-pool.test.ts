import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WorkerPool } from '../src/runtime/worker-pool.ts'
import { WorkerExit, type WorkerSession } from '../src/runtime/worker-session.ts'
import type { TestQuestions, TestTasks } from './pooled-worker.ts'

type Pool = WorkerPool<TestTasks, TestQuestions>

const idleMs = 10_000
const workers: Worker[] = []
const note = (worker: Worker) => void workers.push(worker)
const pools: Pool[] = []

function openPool(size = Infinity): Pool {
  const pool: Pool = new WorkerPool(new URL('./pooled-worker.ts', import.meta.url), {
    size,
    idleMs,
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  })
  pools.push(pool)
  return pool
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  process.on('worker', note)
})

afterEach(async () => {
  process.off('worker', note)
  workers.length = 0
  vi.useRealTimers()
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

/** Runs a task in a session of its own. */
async function run(pool: Pool, task: keyof TestTasks): Promise<unknown> {
  const session = pool.openSession()
  return session.run(task).finally(() => session.close())
}

test('a session takes an idle thread, with nothing of the session before', async () => {
  const pool = openPool()
  const first = await run(pool, 'thread')
  vi.advanceTimersByTime(idleMs - 1)
  const session = pool.openSession()
  expect(await session.run('thread')).toBe(first)
  expect(await session.run('count')).toBe(2)
})

test('a thread that is ending takes no session', async () => {
  const pool = openPool()
  const first = await run(pool, 'thread')
  vi.advanceTimersByTime(idleMs)
  expect(await run(pool, 'thread')).not.toBe(first)
})

test('a thread with an open session is not idle', async () => {
  const pool = openPool()
  const session = pool.openSession()
  expect(await session.run('count')).toBe(1)
  vi.advanceTimersByTime(idleMs * 10)
  expect(await session.run('count')).toBe(2)
})

test('sessions share threads where there may not be more, and keep their state apart', async () => {
  const pool = openPool(2)
  const sessions = Array.from({ length: 3 }, () => pool.openSession())
  const threads = await Promise.all(sessions.map((session) => session.run('thread')))
  expect(new Set(threads).size).toBe(2)
  expect(await Promise.all(sessions.map((session) => session.run('count')))).toEqual([2, 2, 2])
  // The thread of two stays as long as one of them is open.
  const [first, , last] = sessions
  first!.close()
  vi.advanceTimersByTime(idleMs)
  expect(await last!.run('count')).toBe(3)
})

test('tasks of a thread that exits are rejected, also those that come later', async () => {
  const session = openPool().openSession()
  const tasks = [session.run('exit'), session.run('count')]
  for (const task of tasks) await expect(task).rejects.toThrow(WorkerExit)
  await expect(session.run('count')).rejects.toThrow(WorkerExit)
})

test('work is done again once where its thread exits', async () => {
  const pool = openPool()
  const attempts: WorkerSession<TestTasks, TestQuestions>[] = []
  const work = (tasks: (keyof TestTasks)[]) =>
    pool.use((session) => {
      attempts.push(session)
      return session.run(tasks.shift()!)
    })
  expect(await work(['exit', 'count'])).toBe(1)
  expect(attempts.splice(0)).toHaveLength(2)
  await expect(work(['exit', 'exit', 'count'])).rejects.toThrow(WorkerExit)
  expect(attempts.splice(0)).toHaveLength(2)
  await expect(work(['throw', 'count'])).rejects.toMatchObject({ message: 'thrown', errcode: 13 })
  await expect(work(['fill', 'count'])).rejects.toMatchObject({
    code: 'ERR_WORKER_OUT_OF_MEMORY',
  })
  expect(attempts).toHaveLength(2)
})

test('an idle thread that exits is replaced, also before that is known', async () => {
  const pool = openPool()
  const first = await run(pool, 'thread')
  const exit = workers[0]!.terminate()
  expect(await pool.use((session) => session.run('thread'))).not.toBe(first)
  await exit
})

test('a task asks while it runs', async () => {
  const session = openPool().openSession({ why: async (text) => ({ answer: `${text} not` }) })
  expect(await session.run('ask')).toBe('why not')
})

test('a task whose question cannot be answered fails, and its session stays busy', async () => {
  const pool = openPool()
  const session = pool.openSession({ why: () => Promise.reject(new Error('no idea')) })
  await expect(session.run('ask')).rejects.toThrow('no idea')
  expect(session.isBusy).toBe(true)
  await session.terminate()
  session.close()
  expect(await run(pool, 'count')).toBe(1)
})

test('a pool that is closed rejects what runs, and opens nothing', async () => {
  const pool = openPool()
  const session = pool.openSession()
  const rejection = expect(session.run('count')).rejects.toThrow('terminated')
  await pool.close()
  await rejection
  expect(() => pool.openSession()).toThrow('closed')
})
