// @module-tag engines

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseBlobAddress, type S3Address } from '../src/config.ts'
import type { BlobOwner } from '../src/blobs/blobs.ts'
import { connectS3 } from '../src/blobs/s3/bucket.ts'
import { ownerInBucket } from '../src/blobs/s3/trash.ts'
import { isOnS3, ownS3Url } from './test-blobs.ts'

let address: S3Address
let ends: (() => void)[]

beforeEach(() => {
  ends = []
})

afterEach(() => {
  for (const end of ends) end()
})

/** Claims through a store that ignores `If-None-Match`; each request waits for `before`. */
function withoutConditions(before: (request: number) => Promise<void> | undefined): BlobOwner {
  const bucket = connectS3(address)
  let requests = 0
  bucket.client.middlewareStack.add(
    (next) => async (command) => {
      requests += 1
      await before(requests)
      delete (command.input as { IfNoneMatch?: string }).IfNoneMatch
      return next(command)
    },
    { step: 'initialize' },
  )
  ends.push(() => bucket.client.destroy())
  return ownerInBucket(bucket)
}

describe.skipIf(!isOnS3)('claims of a bucket whose store ignores conditions', () => {
  beforeEach(() => {
    address = parseBlobAddress(ownS3Url()) as unknown as S3Address
  })

  test.each([1, 2, 3, 4, 5, 6])(
    'two installations that start together never both get it (one is held at request %i)',
    async (held) => {
      const isHeld = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      const slow = withoutConditions((request) => {
        if (request !== held) return undefined
        isHeld.resolve()
        return goOn.promise
      })
      const claimed = slow.claim('slow')
      await Promise.race([isHeld.promise, claimed])
      const quick = withoutConditions(() => undefined)
      const told = { quick: await quick.claim('quick'), slow: '' }
      goOn.resolve()
      told.slow = await claimed
      const winners = Object.entries(told).filter(([name, owner]) => name === owner)
      expect(winners).toHaveLength(1)
      expect(await quick.read()).toBe(winners[0]![0])
    },
  )

  test('two that see each other are both refused, and the next one gets it', async () => {
    const bothClaim = Promise.withResolvers<void>()
    let waiting = 0
    const meet = (request: number) => {
      if (request !== 2) return undefined
      waiting += 1
      if (waiting === 2) bothClaim.resolve()
      return bothClaim.promise
    }
    const claims = ['one', 'other'].map((id) => withoutConditions(meet).claim(id))
    expect(await Promise.all(claims)).toEqual(['other', 'one'])
    const next = withoutConditions(() => undefined)
    expect(await next.read()).toBe(undefined)
    expect(await next.claim('one')).toBe('one')
  })

  test('an id that may still arrive keeps others off, and not its own installation', async () => {
    const cut = withoutConditions((request) => {
      // Announced, listed, read: the next one puts the id.
      if (request === 4) throw new Error('cut off')
      return undefined
    })
    await expect(cut.claim('one')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    const quick = withoutConditions(() => undefined)
    expect(await quick.claim('other')).toBe('one')
    expect(await quick.read()).toBe(undefined)
    expect(await quick.claim('one')).toBe('one')
    expect(await quick.claim('other')).toBe('one')
  })

  test('processes of one installation agree', async () => {
    const claims = Array.from({ length: 8 }, () => withoutConditions(() => undefined).claim('one'))
    expect(new Set(await Promise.all(claims))).toEqual(new Set(['one']))
  })
})
