// @module-tag engines

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseBlobAddress, type BlobAddress, type S3Address } from '../src/config.ts'
import type { BlobTrash, TrashedBlob } from '../src/blobs/blobs.ts'
import { connectS3 } from '../src/blobs/s3/bucket.ts'
import { trashInBucket } from '../src/blobs/s3/trash.ts'
import { sha256 } from './photos.ts'
import { startS3Proxy, type S3Proxy } from './s3-proxy.ts'
import { blobsInS3, isOnS3, ownS3Url, type TestBlobs } from './test-blobs.ts'

const mebibyte = 1024 ** 2
const day = '2026-11-22'
/** S3 takes parts of 5 MiB and more, but for the last one. */
const partBytes = 5 * mebibyte
const large = randomBytes(2 * partBytes + 1)
const blob = { sha256: sha256(large), size: large.length }

describe.skipIf(!isOnS3)('the trash in S3', () => {
  let dataDir: string
  let proxy: S3Proxy
  let blobs: TestBlobs
  let trash: BlobTrash

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'vitrine-'))
    proxy = await startS3Proxy()
    const url = ownS3Url(proxy.endpoint)
    blobs = blobsInS3(dataDir, url)
    const { remove } = await blobs.open()
    const address = parseBlobAddress(url) as BlobAddress & S3Address
    trash = trashInBucket(connectS3(address), remove, partBytes)
    proxy.requests.length = 0
  })

  afterEach(async () => {
    await proxy.close()
    rmSync(dataDir, { recursive: true })
  })

  const listed = async () => {
    const found: TrashedBlob[] = []
    for await (const each of trash.list(day)) found.push(each)
    return found
  }
  const copies = () => proxy.requests.filter(({ path }) => path.includes('partNumber=')).length

  test('takes what is large in parts, and gives it back whole', async () => {
    await blobs.put(blob.sha256, large)
    await trash.put(blob, day)
    expect(copies()).toBe(3)
    expect(await blobs.list()).toEqual([])
    expect(await listed()).toEqual([{ ...blob, day }])
    expect((await buffer(await trash.open({ ...blob, day }))).equals(large)).toBe(true)

    await trash.restore({ ...blob, day })
    expect(copies()).toBe(6)
    expect(await listed()).toEqual([])
    const { open } = await blobs.open()
    expect((await buffer(await open(blob))).equals(large)).toBe(true)
    expect(await blobs.unpublished()).toEqual([])
  })

  test('keeps what it takes in its place while a part cannot be copied, and takes it later', async () => {
    await blobs.put(blob.sha256, large)
    proxy.fault = ({ path }) => (path.includes('partNumber=2') ? 'internal' : undefined)
    await expect(trash.put(blob, day)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    expect(await blobs.list()).toEqual([blob.sha256])
    expect(await listed()).toEqual([])
    expect(await blobs.unpublished()).toEqual([])

    // The reply to the end of the copy is lost, and it is asked for again.
    let isLost = false
    proxy.fault = ({ method, path }) => {
      if (isLost || method !== 'POST' || !path.includes('uploadId=')) return undefined
      isLost = true
      return 'lost'
    }
    await trash.put(blob, day).catch(() => trash.put(blob, day))
    expect(await blobs.list()).toEqual([])
    expect((await buffer(await trash.open({ ...blob, day }))).equals(large)).toBe(true)
    expect(await blobs.unpublished()).toEqual([])
  })

  test('does nothing where what is large is gone already', async () => {
    await trash.put(blob, day)
    expect(await listed()).toEqual([])
    expect(await blobs.unpublished()).toEqual([])
  })
})
