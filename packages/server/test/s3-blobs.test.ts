// @module-tag engines

import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseBlobAddress, type BlobAddress, type S3Address } from '../src/config.ts'
import type { Blobs } from '../src/blobs/blobs.ts'
import { openS3Blobs } from '../src/blobs/s3/s3.ts'
import { sha256 } from './photos.ts'
import { startS3Proxy, type Fault, type S3Proxy } from './s3-proxy.ts'
import { createTestBlobs, ignoresConditions, isOnS3, ownS3Url } from './test-blobs.ts'

const mebibyte = 1024 ** 2
const limit = { maxBytes: 1e9 }
const large = randomBytes(20 * mebibyte + 1)

let proxy: S3Proxy
let dataDir: string
let address: BlobAddress & S3Address
let blobs: Blobs

/** Another process on the same bucket. */
const openAnother = (wait?: (milliseconds: number) => Promise<void>) =>
  openS3Blobs(address, { spoolDir: join(dataDir, 'spool'), wait })

async function* once(bytes: Buffer | string): AsyncGenerator<Buffer> {
  yield Buffer.from(bytes)
}

async function publish(bytes: Buffer | string, into = blobs): Promise<string> {
  const received = await into.receive(once(bytes), limit)
  try {
    await received.publish()
  } finally {
    await received.discard()
  }
  return received.sha256
}

async function listed(): Promise<string[]> {
  const found: string[] = []
  for await (const { sha256: digest } of blobs.list()) found.push(digest)
  return found
}

/** Requests of a kind, such as `PUT …?partNumber=…`. */
const countOf = (method: string, part: string) =>
  proxy.requests.filter((asked) => asked.method === method && asked.path.includes(part)).length

describe.skipIf(!isOnS3)('blobs in S3', () => {
  beforeEach(async () => {
    proxy = await startS3Proxy()
    dataDir = mkdtempSync(join(tmpdir(), 'vitrine-'))
    address = parseBlobAddress(ownS3Url(proxy.endpoint)) as typeof address
    blobs = await openAnother()
    proxy.requests.length = 0
  })

  afterEach(async () => {
    await proxy.close()
    rmSync(dataDir, { recursive: true })
  })

  test('large ones go in parts, and are read whole and in ranges', async () => {
    const digest = await publish(large)
    expect(countOf('PUT', 'partNumber=')).toBe(3)
    expect(
      (await buffer(await blobs.open({ sha256: digest, size: large.length }))).equals(large),
    ).toBe(true)
    const range = { start: 8 * mebibyte - 5, end: 8 * mebibyte + 4 }
    expect(await buffer(await blobs.open({ sha256: digest, size: large.length }, range))).toEqual(
      large.subarray(range.start, range.end + 1),
    )
    proxy.requests.length = 0
    await publish(large)
    expect(proxy.requests.map(({ method }) => method)).toEqual(['HEAD'])
  })

  test('small ones go in one request', async () => {
    await publish('small')
    expect(proxy.requests.map(({ method }) => method)).toEqual(['PUT'])
  })

  test('a blob that exists is not uploaded again', async () => {
    const medium = randomBytes(100 * 1024)
    for (let time = 0; time < 2; time += 1) await publish(medium)
    expect(proxy.requests.map(({ method }) => method)).toEqual(['HEAD', 'PUT', 'HEAD'])
  })

  test('a store that hangs up on what it has already has it', async () => {
    await publish('there')
    proxy.fault = ({ method }) => (method === 'PUT' ? 'reset' : undefined)
    await publish('there')
    await expect(publish('not there')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
  })

  test('two processes may publish the same bytes at once', async () => {
    const other = await openAnother()
    // Nobody is done before all three have begun.
    const allBegun = Promise.withResolvers<void>()
    proxy.hold = ({ method, path }) => {
      if (method === 'POST' && path.includes('?uploads') && countOf('POST', '?uploads') === 3) {
        allBegun.resolve()
      }
      return method === 'POST' && path.includes('uploadId=') ? allBegun.promise : undefined
    }
    for (const bytes of [large, Buffer.from('small')]) {
      await Promise.all([publish(bytes), publish(bytes, other), publish(bytes)])
      expect(await text(await blobs.open({ sha256: sha256(bytes), size: bytes.length }))).toBe(
        bytes.toString(),
      )
    }
    expect((await listed()).toSorted()).toEqual([sha256(large), sha256('small')].toSorted())
    // Those that come later are refused, or put the same bytes again.
    expect(countOf('DELETE', 'uploadId=')).toBe(ignoresConditions ? 0 : 2)
  })

  test('other bytes of the same size under the digest are found out and replaced', async () => {
    const store = createTestBlobs(dataDir)
    await store.put(sha256('whole'), 'other')
    const others = await store.open()
    await publish('whole', others)
    expect(await text(await others.open({ sha256: sha256('whole'), size: 5 }))).toBe('whole')
  })

  test('a store that fails now and then loses nothing', async () => {
    const faults: Fault[] = ['internal', 'slow-down', 'reset', 'lost']
    let count = 0
    proxy.fault = () => {
      count += 1
      return count % 4 === 0 ? faults[(count / 4) % faults.length] : undefined
    }
    const contents = [large, ...Array.from({ length: 40 }, (_, index) => `content ${index % 25}`)]
    await Promise.all(contents.map((bytes) => publish(bytes)))
    for (const bytes of contents) {
      expect(await text(await blobs.open({ sha256: sha256(bytes), size: bytes.length }))).toBe(
        bytes.toString(),
      )
    }
    const failed = new Set(proxy.requests.map(({ fault }) => fault))
    expect(failed).toEqual(new Set([undefined, ...faults]))
    proxy.fault = () => undefined
    expect(await listed()).toHaveLength(26)
  })

  test('tells whose it is, although replies are cut off', async () => {
    await blobs.owner.claim('mine')
    let cuts = 2
    proxy.fault = ({ method }) => (method === 'GET' && cuts-- > 0 ? 'cut' : undefined)
    expect(await blobs.owner.read()).toBe('mine')
    expect(cuts).toBeLessThan(1)
  })

  test('a read goes on where its connection broke', async () => {
    const digest = await publish(large)
    let cuts = 3
    proxy.fault = ({ method }) => (method === 'GET' && cuts-- > 0 ? 'cut' : undefined)
    expect(
      (await buffer(await blobs.open({ sha256: digest, size: large.length }))).equals(large),
    ).toBe(true)
    expect(countOf('GET', digest.slice(2))).toBe(4)
  })

  test('a reader that leaves lets go of its connection', async () => {
    const digest = await publish(large)
    const unread = await blobs.open({ sha256: digest, size: large.length })
    unread.destroy()
    const begun = await blobs.open({ sha256: digest, size: large.length })
    for await (const _chunk of begun) break
    await expect.poll(() => [unread.closed, begun.closed]).toEqual([true, true])
    // A connection that is held would keep the proxy from closing.
  })

  test('a store that is down is a failure of the catalogue, and no end', async () => {
    const digest = await publish('there')
    const received = await blobs.receive(once('kept aside'), limit)
    proxy.fault = () => 'internal'
    const unavailable = { code: 'STORAGE_UNAVAILABLE' }
    await expect(received.publish()).rejects.toMatchObject(unavailable)
    await expect(blobs.open({ sha256: digest, size: large.length })).rejects.toMatchObject(
      unavailable,
    )
    await expect(listed()).rejects.toMatchObject(unavailable)
    proxy.fault = () => undefined
    await received.publish()
    await received.discard()
    expect(await text(await blobs.open(received))).toBe('kept aside')
  })

  test('a missing blob is damage, not a failure of the store', async () => {
    await expect(blobs.open({ sha256: '00'.repeat(32), size: 5 })).rejects.toMatchObject({
      code: 'VALUE_DAMAGED',
      what: 'its bytes are missing',
    })
  })

  test('an upload that fails in the middle is aborted', async () => {
    proxy.fault = ({ path }) => (path.includes('partNumber=2') ? 'internal' : undefined)
    await expect(publish(large)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    expect(countOf('DELETE', 'uploadId=')).toBe(1)
    expect(await listed()).toEqual([])
  })

  test(
    'a removal without an answer is waited for before it counts as done',
    { tags: 'whole' },
    async () => {
      const digest = await publish('removed')
      const waits: number[] = []
      const waiting = await openAnother(async (milliseconds) => void waits.push(milliseconds))
      let losses = 1
      proxy.fault = ({ method }) => (method === 'DELETE' && losses-- > 0 ? 'lost' : undefined)
      await waiting.remove(digest)
      expect(waits).toEqual([10_000])
      expect(countOf('DELETE', digest.slice(2))).toBe(2)
      expect(await listed()).toEqual([])
    },
  )

  test('memory stays flat however large the bytes are', { tags: 'whole' }, async () => {
    const chunk = randomBytes(mebibyte)
    let highest = 0
    const note = () => {
      highest = Math.max(highest, process.memoryUsage.rss())
    }
    const chunks = async function* (count: number) {
      for (let index = 0; index < count; index += 1) {
        note()
        yield chunk
      }
    }
    const hold = async (count: number) => {
      const received = await blobs.receive(chunks(count), limit)
      await received.publish()
      await received.discard()
      const hash = createHash('sha256')
      for await (const bytes of await blobs.open(received)) {
        note()
        hash.update(bytes as Buffer)
      }
      expect(hash.digest('hex')).toBe(received.sha256)
    }
    await hold(64)
    const before = process.memoryUsage.rss()
    await hold(512)
    expect((highest - before) / mebibyte).toBeLessThan(200)
  })
})
