import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Blobs } from '../src/blobs/blobs.ts'
import { openFileBlobs } from '../src/blobs/files.ts'

let folder: string
let blobs: Blobs

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  blobs = await openFileBlobs(folder)
})

afterEach(() => rmSync(folder, { recursive: true }))

const limit = { maxBytes: 1e9 }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const pathOf = (digest: string) => join(folder, digest.slice(0, 2), digest.slice(2))
const unpublished = () => readdirSync(join(folder, 'tmp'))

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

test.each([0, 1, 65_536, 3_000_001])('keeps %i bytes under their digest', async (size) => {
  const bytes = randomBytes(size)
  const received = await blobs.receive(inChunks(bytes), limit)
  expect(received).toMatchObject({ sha256: sha256(bytes), size })
  expect(await listed()).toEqual([])
  await received.publish()
  expect(unpublished()).toHaveLength(1)
  await received.discard()
  expect(unpublished()).toEqual([])
  expect(await listed()).toEqual([[received.sha256, size]])
  expect((await buffer(await blobs.open(received.sha256))).equals(bytes)).toBe(true)
  await blobs.remove(received.sha256)
  await blobs.remove(received.sha256)
  expect(await listed()).toEqual([])
})

test('gives a range of a blob, both ends included', async () => {
  const received = await blobs.receive(inChunks(Buffer.from('0123456789')), limit)
  await received.publish()
  const range = await blobs.open(received.sha256, { start: 2, end: 4 })
  expect((await buffer(range)).toString()).toBe('234')
})

test('publishes again what collection took, and knows that it has to', async () => {
  const received = await blobs.receive(inChunks(Buffer.from('bytes')), limit)
  expect(await received.isPublished()).toBe(false)
  await received.publish()
  expect(await received.isPublished()).toBe(true)
  await blobs.remove(received.sha256)
  expect(await received.isPublished()).toBe(false)
  const other = await blobs.receive(inChunks(Buffer.from('bytes')), limit)
  await other.publish()
  expect(await received.isPublished()).toBe(false)
  await received.publish()
  expect(await received.isPublished()).toBe(true)
  expect(await other.isPublished()).toBe(true)
})

test('replaces bytes of another size under the same digest', async () => {
  const received = await blobs.receive(inChunks(Buffer.from('whole')), limit)
  writeFileSync(pathOf(received.sha256), 'who')
  await received.publish()
  await received.discard()
  expect(readFileSync(pathOf(received.sha256), 'utf8')).toBe('whole')
  expect(unpublished()).toEqual([])
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
  expect(unpublished()).toEqual([])
})

test('keeps nothing of a source that fails', async () => {
  await expect(blobs.receive(cutOff(), limit)).rejects.toThrow('cut off')
  expect(unpublished()).toEqual([])
})

test('removes what a process that is gone left unpublished', async () => {
  await blobs.receive(inChunks(randomBytes(10)), limit)
  expect(unpublished()).toHaveLength(1)
  await blobs.removeUnpublished()
  expect(unpublished()).toEqual([])
})
