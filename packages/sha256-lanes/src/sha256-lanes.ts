import { blockBytes, endAt, hashing, laneCount, maskAt } from './sha256-code.ts'

export { laneCount }

/**
 * SHA-256 (FIPS 180-4) of four short messages at once, one in each lane of a vector register. Of values
 * of a few bytes, a call of `node:crypto` for each takes ten times as long as what it computes.
 */

/** A message has to fit into one block with its padding: so many bytes at most. */
export const laneBytesMax = 55

/** The address of a message that has no other, and of a digest that is not used. */
const spareAt = endAt + 2 * blockBytes
const freeAt = spareAt + (laneCount + 1) * blockBytes

export const nowhere = spareAt + laneCount * blockBytes
/** Address at which a message to be hashed in a lane may be put. */
export const spareOf = (lane: number) => spareAt + lane * blockBytes

/** For each lane where its message is, how long that is, and where its digest goes. */
export type HashLanes = (
  ...places: [
    ...[from0: number, length0: number, to0: number],
    ...[from1: number, length1: number, to1: number],
    ...[from2: number, length2: number, to2: number],
    ...[from3: number, length3: number, to3: number],
  ]
) => void

const pageBytes = 64 * 1024

/**
 * Opens memory from `start` on for messages and digests. It grows in place: where things lie in it they
 * stay, but `memory.buffer` is another one.
 */
export function openLanes(): { memory: WebAssembly.Memory; start: number; hash: HashLanes } {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(hashing))
  const { memory, run } = exports as { memory: WebAssembly.Memory; run: HashLanes }
  const tables = new Uint8Array(memory.buffer)
  tables.fill(0xff, maskAt, maskAt + blockBytes)
  tables[endAt + blockBytes] = 0x80
  return { memory, start: freeAt, hash: run }
}

/** Makes the memory have so many bytes, and as many more for a block to be read at their end. */
export function growMemory(memory: WebAssembly.Memory, toBytes: number): Buffer<ArrayBuffer> {
  const missing = toBytes + blockBytes - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / pageBytes))
  return Buffer.from(memory.buffer, 0, memory.buffer.byteLength - blockBytes)
}
