import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Node's `gc` (`--expose-gc`): of the young, or of all with what the engine keeps for later. */
const collectGarbage = runInNewContext('gc') as (
  options: { type: 'minor' } | { type: 'major'; flavor: 'last-resort' },
) => void

/**
 * Bytes between two collections. The engine begins its most expensive one when there are half as many bytes again as it
 * has objects, and it may have 30 MB of these.
 */
const betweenBytes = 2 * 1024 ** 2

let passedBytes = 0

/**
 * Frees the chunks of streams that have passed. Node makes a buffer for every read of a socket or a file,
 * and the engine, which sees only small objects, does not look for dead ones among the young before it comes
 * upon them by its most expensive collection. A collection of the young costs a fraction of a millisecond;
 * together they save half of the time of a large upload and most of its memory (`npm run bench upload`), and
 * others wait less (docs/decisions/performance.md).
 */
export function freeChunks(passed: number): void {
  passedBytes += passed
  if (passedBytes < betweenBytes) return
  passedBytes = 0
  collectGarbage({ type: 'minor' })
}

/**
 * Frees the memory of bytes that are not needed any more, where they are all that lies in their buffer.
 * Left to the engine, some megabytes of them are enough for its most expensive collection.
 */
export function freeBytes(bytes: Uint8Array): void {
  for (const buffer of ownBuffers(bytes)) buffer.transfer(0)
}

/**
 * Returns the buffer of bytes, to be transferred; none where something else lies in it too, as in what PostgreSQL's
 * driver gives.
 */
export function ownBuffers({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []
}

/**
 * Gives back to the system what a thread took to load its code: more than it keeps of it, and left to the
 * engine it stays (docs/decisions/performance.md). Takes some 20 ms.
 */
export function freeStart(): void {
  collectGarbage({ type: 'major', flavor: 'last-resort' })
}
