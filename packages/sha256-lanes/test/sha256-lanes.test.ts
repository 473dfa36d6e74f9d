import { hash } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  growMemory,
  laneBytesMax,
  laneCount,
  nowhere,
  openLanes,
  spareOf,
  type HashLanes,
} from '../src/sha256-lanes.ts'

const digestBytes = 32

/** The digests of up to four messages, one in each lane. */
function hashAll(messages: readonly Uint8Array[], lanes = openLanes()): string[] {
  const bytes = growMemory(lanes.memory, lanes.start + laneCount * digestBytes)
  const places = Array.from({ length: laneCount }, (_, lane) => {
    const message = messages[lane]
    if (message === undefined) return [spareOf(lane), 0, nowhere]
    bytes.set(message, spareOf(lane))
    return [spareOf(lane), message.length, lanes.start + lane * digestBytes]
  })
  lanes.hash(...(places.flat() as Parameters<HashLanes>))
  return messages.map((_, lane) => {
    const from = lanes.start + lane * digestBytes
    return bytes.toString('hex', from, from + digestBytes)
  })
}

/** Vectors of NIST's SHA256ShortMsg (CAVP), and the example of one block of FIPS 180-2, appendix B.1. */
const vectors: [message: string, digest: string][] = [
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['d3', '28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1'],
  ['11af', '5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98'],
  ['b4190e', 'dff2e73091f6c05e528896c4c831b9448653dc2ff043528f6769437bc7b975c2'],
  ['74ba2521', 'b16aa56be3880d18cd41e68384cf1ec8c17680c45a02b1575dc1518923ae8b0e'],
  ['616263', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
]

it.each(vectors)('the digest of %s is the published one, in each lane', (message, digest) => {
  const bytes = Buffer.from(message, 'hex')
  expect(hashAll([bytes, bytes, bytes, bytes])).toEqual(Array(laneCount).fill(digest))
})

it('messages of each length from 0 to 55 are hashed as node:crypto does', () => {
  const messages = Array.from({ length: laneBytesMax + 1 }, (_, length) =>
    Uint8Array.from({ length }, (_, at) => (at * 37 + length) & 0xff),
  )
  for (let at = 0; at < messages.length; at += laneCount) {
    const four = messages.slice(at, at + laneCount)
    expect(hashAll(four)).toEqual(four.map((message) => hash('sha256', message)))
  }
})

it('random messages are hashed as node:crypto does, whatever was hashed before in the same memory', () => {
  const lanes = openLanes()
  const message = fc.uint8Array({ maxLength: laneBytesMax })
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: laneCount }), (messages) => {
      expect(hashAll(messages, lanes)).toEqual(messages.map((each) => hash('sha256', each)))
    }),
    { numRuns: 1000 },
  )
})

it('memory keeps its content when it grows', () => {
  const { memory, start } = openLanes()
  growMemory(memory, start + 8).write('as it is', start)
  const bytes = growMemory(memory, start + 1024 ** 2)
  expect(bytes.toString('latin1', start, start + 8)).toBe('as it is')
  expect(bytes.length).toBeGreaterThanOrEqual(start + 1024 ** 2)
})
