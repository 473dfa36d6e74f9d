import { ApiError } from '@vitrine/client'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createCommittedFiles } from '../src/pages/AddFiles/committed-files.ts'
import { FileQueue, type FileWork } from '../src/pages/AddFiles/file-queue.ts'

function keep(): Pick<Storage, 'getItem' | 'setItem'> {
  const kept = new Map<string, string>()
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  }
}

const withPath = (name: string) => ({ path: name, file: new File([name], name) })
const names = (count: number) => Array.from({ length: count }, (_, index) => `${index}.png`)

type Commit = { arrives: boolean; isAnswered: boolean }

/**
 * A server that adds whatever comes, unless `fail` says otherwise, and whose commits may be lost on their
 * way or on their way back; ids are given in the order of the inserts, from 1.
 */
function server(
  fail: (name: string) => Error | undefined = () => undefined,
  commitOf: (name: string) => Commit = () => ({ arrives: true, isAnswered: true }),
) {
  const inserts: string[] = []
  const added: string[] = []
  let inFlight = 0
  const seen = { most: 0 }
  const work: FileWork = {
    values: () => ({}),
    hash: async (file) => `digest of ${file.name}`.padEnd(64, '0'),
    add: async ({ path }, _, { signal, onCommit }) => {
      inFlight += 1
      seen.most = Math.max(seen.most, inFlight)
      try {
        await turn()
        signal.throwIfAborted()
        const error = fail(path)
        if (error !== undefined) throw error
        const itemId = inserts.push(path)
        onCommit({ itemId, integrity: {} })
        const { arrives, isAnswered } = commitOf(path)
        if (arrives) added.push(path)
        if (!isAnswered) throw new ApiError('lost', { lost: true })
        return itemId
      } finally {
        inFlight -= 1
      }
    },
    commitAgain: async ({ itemId }) => {
      const path = inserts[itemId - 1]!
      return added.includes(path) ? itemId : undefined
    },
  }
  return { work, added, seen }
}

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { interval: 5 }).toBe(true)
}

/** From now on until the test has ended, timers go off when the test says so. */
function moveTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('files that are slow to say their size are there at once, and added up bit by bit', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const sized: string[] = []
  const slow = (name: string) => {
    const { file, path } = withPath(name)
    Object.defineProperty(file, 'size', {
      get: () => {
        vi.advanceTimersByTime(1)
        sized.push(name)
        return 100
      },
    })
    return { file, path }
  }
  const queue = new FileQueue(server().work, createCommittedFiles(keep(), 'photos'))
  queue.enqueue(names(60).map(slow))
  expect(queue.files).toHaveLength(60)
  expect(sized.length).toBeLessThan(20)
  await until(() => queue.totalBytes === 6000)
  expect(sized).toEqual(names(60))
})

test('every file is added once, four at a time', async () => {
  const { work, added, seen } = server()
  const queue = new FileQueue(work, createCommittedFiles(keep(), 'photos'))
  queue.enqueue(names(50).map(withPath))
  expect(queue.counts.waiting).toBe(50)
  expect(added).toEqual([])
  queue.start()
  await until(() => queue.counts.done === 50)
  expect(added.toSorted()).toEqual(names(50).toSorted())
  expect(seen.most).toBe(4)
  expect(queue.status.is).toBe('paused')
  await until(() => queue.doneBytes === queue.totalBytes)

  queue.enqueue(names(51).map(withPath))
  queue.start()
  await until(() => queue.counts.done === 101)
  expect(added).toHaveLength(51)
})

test('a folder dropped twice is added once', async () => {
  const { work, added, seen } = server()
  const queue = new FileQueue(work, createCommittedFiles(keep(), 'photos'))
  queue.enqueue(names(3).map(withPath))
  queue.enqueue(names(3).map(withPath))
  queue.start()
  await until(() => queue.counts.done === 6)
  expect(added.toSorted()).toEqual(names(3))
  expect(seen.most).toBe(3)
})

test('committed files are remembered after a reload, by repository, path and content', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const kept = keep()
  const committed = createCommittedFiles(kept, 'photos')
  committed.add('a.png', '1'.repeat(64))
  vi.runAllTimers()
  vi.useRealTimers()
  const again = createCommittedFiles(kept, 'photos')
  expect(again.has('a.png', '1'.repeat(64))).toBe(true)
  expect(again.has('a.png', '2'.repeat(64))).toBe(false)
  expect(again.has('b.png', '1'.repeat(64))).toBe(false)
  expect(createCommittedFiles(kept, 'other').has('a.png', '1'.repeat(64))).toBe(false)
})

test('a refused file says why and can be tried again; the others go on', async () => {
  let refuse = true
  const { work, added } = server((name) =>
    refuse && name === '3.png'
      ? new ApiError('data does not conform to schema', { status: 422 })
      : undefined,
  )
  const queue = new FileQueue(work, createCommittedFiles(keep(), 'photos'))
  queue.enqueue(names(9).map(withPath))
  queue.start()
  await until(() => queue.counts.done === 8)
  expect(queue.files[3]?.state).toEqual({
    is: 'refused',
    reason: 'data does not conform to schema',
  })
  refuse = false
  queue.retry()
  await until(() => queue.counts.done === 9)
  expect(added).toHaveLength(9)
})

test('a server that cannot be reached is asked again, and no file is lost or doubled', async () => {
  let down = true
  const { work, added } = server(() =>
    down ? new ApiError('The server could not be reached', { lost: true }) : undefined,
  )
  const queue = new FileQueue(work, createCommittedFiles(keep(), 'photos'))
  queue.enqueue(names(9).map(withPath))
  moveTimers()
  queue.start()
  await until(() => queue.status.is === 'stalled' && queue.counts.waiting === 9)
  down = false
  vi.runOnlyPendingTimers()
  await until(() => queue.counts.done === 9)
  expect(added.toSorted()).toEqual(names(9))
})

describe('a commit without an answer', () => {
  test.each([true, false])(
    'is retried so that its file is added exactly once, whether it has arrived: %s',
    async (arrives) => {
      let isAnswered = false
      const { work, added } = server(undefined, () => ({
        arrives: arrives || isAnswered,
        isAnswered,
      }))
      const queue = new FileQueue(work, createCommittedFiles(keep(), 'photos'))
      queue.enqueue(names(3).map(withPath))
      moveTimers()
      queue.start()
      await until(() => queue.status.is === 'stalled' && queue.counts.waiting === 3)
      isAnswered = true
      vi.runOnlyPendingTimers()
      await until(() => queue.counts.done === 3)
      expect(added.toSorted()).toEqual(names(3))
    },
  )

  test('is remembered over a reload until its file is committed, apart from those of other tabs', async () => {
    let isAnswered = false
    const { work, added } = server(undefined, () => ({ arrives: true, isAnswered }))
    const kept = keep()
    const gone = new FileQueue(work, createCommittedFiles(kept, 'photos'))
    gone.enqueue(names(3).map(withPath))
    gone.start()
    await until(() => gone.counts.waiting === 3 && gone.status.is === 'stalled')
    gone.pause()
    // Another tab notes something of its own.
    createCommittedFiles(kept, 'photos').send('other.png', '0', { itemId: 9, integrity: {} })

    isAnswered = true
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const queue = new FileQueue(work, createCommittedFiles(kept, 'photos'))
    queue.enqueue(names(3).map(withPath))
    queue.start()
    while (queue.counts.done < 3) await turn()
    vi.runAllTimers()
    vi.useRealTimers()
    expect(added.toSorted()).toEqual(names(3))
    const after = createCommittedFiles(kept, 'photos')
    const digest = 'digest of 0.png'.padEnd(64, '0')
    expect(after.has('0.png', digest)).toBe(true)
    expect(after.sent('0.png', digest)).toBeUndefined()
    expect(after.sent('other.png', '0')).toEqual({ itemId: 9, integrity: {} })
  })
})

test('a full disk or an ended session stops the queue, which can be resumed', async () => {
  let error: Error | undefined = new ApiError('Insufficient Storage', { status: 507 })
  const { work } = server(() => error)
  const queue = new FileQueue(work, createCommittedFiles(keep(), 'photos'))
  queue.enqueue(names(9).map(withPath))
  queue.start()
  await until(() => queue.status.is === 'stopped' && queue.counts.waiting === 9)
  error = undefined
  queue.start()
  await until(() => queue.counts.done === 9)
})

test('a pause puts back what is in flight', async () => {
  const { work, added } = server()
  const queue = new FileQueue(work, createCommittedFiles(keep(), 'photos'))
  queue.enqueue(names(9).map(withPath))
  const stop = queue.subscribe(() => {
    if (queue.counts.sending === 4) queue.pause()
  })
  queue.start()
  await until(() => queue.status.is === 'paused')
  await until(() => queue.counts.waiting === 9)
  stop()
  queue.start()
  await until(() => queue.counts.done === 9)
  expect(added.toSorted()).toEqual(names(9))
})

test('a file that was refused is no longer to be sent, until it is tried again', async () => {
  const { work } = server((name) => (name === '1.png' ? new Error('Too long') : undefined))
  const queue = new FileQueue(work, createCommittedFiles(keep(), 'r'))
  queue.enqueue(names(3).map(withPath))
  queue.start()
  await until(() => !queue.unsettled)
  expect(queue.counts).toMatchObject({ done: 2, refused: 1 })
  expect([queue.doneBytes, queue.totalBytes]).toEqual([10, 10])
  queue.pause()
  queue.retry()
  await until(() => !queue.unsettled)
  expect([queue.doneBytes, queue.totalBytes]).toEqual([10, 10])
})
