import type { PictureWidth } from '@vitrine/contract'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { Blobs } from '../src/blobs/blobs.ts'
import type { Decoder } from '../src/pictures/decoder.ts'
import { KeptPictures } from '../src/pictures/kept-pictures.ts'
import { SmallPictures } from '../src/pictures/small-pictures.ts'
import { sha256 } from './photos.ts'

/** Pictures of a decoder that is done when it is told. */
function slowPictures(memory = 1000) {
  const begun: { width: number; end: () => void }[] = []
  const shrink = (width: number) =>
    new Promise<Buffer>((resolve) => {
      begun.push({ width, end: () => resolve(Buffer.from(`small ${width}`)) })
    })
  const decoder: Decoder = {
    open: async () => ({ memory, shrink, [Symbol.dispose]: () => undefined }),
    close: () => undefined,
  }
  const opened: string[] = []
  const blobs = {
    open: async ({ sha256: digest }: { sha256: string }) => {
      opened.push(digest)
      return Readable.from([Buffer.from(digest === sha256('a') ? 'a' : 'b')])
    },
  } as unknown as Blobs
  return { begun, opened, pictures: new SmallPictures(blobs, decoder) }
}

const valueOf = (text: string) => ({ sha256: sha256(text), size: 1, mime: 'image/png' })
const asking = (width: PictureWidth, owner = 'Ada', signal = new AbortController().signal) => ({
  width,
  owner,
  signal,
})
const turn = () => new Promise(setImmediate)

test('two are made at once; the others wait, and nothing of theirs is read', async () => {
  const { pictures, begun, opened } = slowPictures()
  const wanted = ([96, 256, 512, 1024] as const).map((width) =>
    pictures.find(valueOf('a'), asking(width)),
  )
  await expect.poll(() => begun.map(({ width }) => width)).toEqual([96, 256])
  await turn()
  expect(opened).toHaveLength(2)
  begun[0]!.end()
  await expect.poll(() => begun.map(({ width }) => width)).toEqual([96, 256, 512])
  for (const at of [1, 2, 3]) {
    await expect.poll(() => begun.length).toBeGreaterThan(at)
    begun[at]!.end()
  }
  expect(String(await wanted[3])).toBe('small 1024')
  // What is kept is not made again.
  expect(String(await pictures.find(valueOf('a'), asking(96)))).toBe('small 96')
  expect(begun).toHaveLength(4)
})

test('a picture is not made when nobody waits for it, and made once when several do', async () => {
  const { pictures, begun, opened } = slowPictures()
  const first = [96, 256].map((width) => pictures.find(valueOf('a'), asking(width as PictureWidth)))
  const leaving = new AbortController()
  const left = pictures.find(valueOf('b'), asking(512, 'Ada', leaving.signal))
  const [one, other] = [0, 1].map(() => pictures.find(valueOf('a'), asking(96)))
  leaving.abort()
  await expect.poll(() => begun.length).toBe(2)
  for (const { end } of begun) end()
  await expect(left).rejects.toMatchObject({ code: 'OVERLOADED' })
  expect(String(await one)).toBe('small 96')
  expect(await other).toBe(await first[0])
  expect(opened).toEqual([sha256('a'), sha256('a')])
})

test('two that are large are unpacked one after the other', async () => {
  const { pictures, begun } = slowPictures(400e6)
  const both = ([96, 256] as const).map((width) => pictures.find(valueOf('a'), asking(width)))
  await expect.poll(() => begun.length).toBe(1)
  for (let times = 0; times < 5; times += 1) await turn()
  expect(begun).toHaveLength(1)
  begun[0]!.end()
  await expect.poll(() => begun.length).toBe(2)
  begun[1]!.end()
  expect(await Promise.all(both)).toHaveLength(2)
})

test('a stop ends what waits', async () => {
  const { pictures, begun } = slowPictures()
  const wanted = ([96, 256, 512] as const).map((width) =>
    pictures.find(valueOf('a'), asking(width)),
  )
  await expect.poll(() => begun.length).toBe(2)
  pictures.endWaits()
  await expect(wanted[2]).rejects.toMatchObject({ code: 'OVERLOADED' })
  for (const { end } of begun) end()
  expect(String(await wanted[0])).toBe('small 96')
})

test('the picture cache is bounded in bytes, and evicts the least recently used', () => {
  const kept = new KeptPictures(10)
  for (const key of ['a', 'b', 'c']) {
    kept.keep(key, Buffer.alloc(4, key))
    kept.find('a')
  }
  expect(['a', 'b', 'c'].map((key) => kept.find(key)?.length)).toEqual([4, undefined, 4])
  kept.keep('a', Buffer.alloc(6))
  expect(['a', 'c'].map((key) => kept.find(key)?.length)).toEqual([6, 4])
})
