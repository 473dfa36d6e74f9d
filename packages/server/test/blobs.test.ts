// @module-tag engines

import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Blobs } from '../src/blobs/blobs.ts'
import { createTestBlobs, isOnS3, type TestBlobs } from './test-blobs.ts'

let dataDir: string
let store: TestBlobs
let blobs: Blobs
const unpublished = () => store.unpublished()

const limit = { maxBytes: 1e9 }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function* inChunks(bytes: Buffer, size = 65_536): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function* cutOff(): AsyncGenerator<Buffer> {
  yield randomBytes(3_000_000)
  throw new Error('cut off')
}

async function listed() {
  const found = []
  for await (const { sha256: digest, size } of blobs.list()) found.push([digest, size])
  return found
}

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-'))
  store = createTestBlobs(dataDir)
  blobs = await store.open()
})

afterEach(() => rmSync(dataDir, { recursive: true }))

test.each([0, 1, 65_536, 3_000_001])('keeps %i bytes under their digest', async (size) => {
  const bytes = randomBytes(size)
  const received = await blobs.receive(inChunks(bytes), limit)
  expect(received).toMatchObject({ sha256: sha256(bytes), size })
  expect(await listed()).toEqual([])
  await received.publish()
  expect(await unpublished()).toHaveLength(1)
  await received.discard()
  expect(await unpublished()).toEqual([])
  expect(await listed()).toEqual([[received.sha256, size]])
  expect((await buffer(await blobs.open(received))).equals(bytes)).toBe(true)
  await blobs.remove(received.sha256)
  await blobs.remove(received.sha256)
  expect(await listed()).toEqual([])
})

test('gives a range of a blob, both ends included', async () => {
  const received = await blobs.receive(inChunks(Buffer.from('0123456789')), limit)
  await received.publish()
  await received.discard()
  const range = await blobs.open(received, { start: 2, end: 4 })
  expect((await buffer(range)).toString()).toBe('234')
})

test('publishes again what collection took', async () => {
  const received = await blobs.receive(inChunks(Buffer.from('bytes')), limit)
  await received.publish()
  await received.publish()
  await blobs.remove(received.sha256)
  expect(await listed()).toEqual([])
  await received.publish()
  await received.discard()
  expect(await listed()).toEqual([[received.sha256, 5]])
})

test('replaces bytes of another size under the same digest', async () => {
  const received = await blobs.receive(inChunks(Buffer.from('whole')), limit)
  await store.put(received.sha256, 'who')
  await received.publish()
  await received.discard()
  expect(await text(await blobs.open(received))).toBe('whole')
  expect(await unpublished()).toEqual([])
})

test('takes exactly as many bytes as it may, and stops reading at the next one', async () => {
  const bytes = randomBytes(100_000)
  await (await blobs.receive(inChunks(bytes, 1000), { maxBytes: 100_000 })).discard()
  let given = 0
  const counted = async function* () {
    for await (const chunk of inChunks(bytes, 1000)) {
      given += chunk.length
      yield chunk
    }
  }
  await expect(blobs.receive(counted(), { maxBytes: 49_999 })).rejects.toMatchObject({
    code: 'CONTENT_TOO_LARGE',
  })
  expect(given).toBe(50_000)
  expect(await unpublished()).toEqual([])
})

test('keeps nothing of a source that fails', async () => {
  await expect(blobs.receive(cutOff(), limit)).rejects.toThrow('cut off')
  expect(await unpublished()).toEqual([])
})

test('removes what a process that is gone left unpublished', async () => {
  await store.leaveUnpublished()
  expect(await unpublished()).toHaveLength(1)
  await blobs.removeUnpublished({ olderThanMs: 60_000 })
  expect(await unpublished()).toHaveLength(1)
  await blobs.removeUnpublished({ olderThanMs: 0 })
  expect(await unpublished()).toEqual([])
})

test.skipIf(isOnS3)(
  'a received blob is synced before it is published, and publishing syncs its folder',
  async () => {
    const handle = await open(dataDir)
    const sync = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync')
    await handle.close()
    try {
      const received = await blobs.receive(inChunks(randomBytes(10)), limit)
      expect(sync).toHaveBeenCalledTimes(1)
      await received.publish()
      expect(sync).toHaveBeenCalledTimes(2)
    } finally {
      sync.mockRestore()
    }
  },
)
