import { collectGarbage } from './collect-garbage.ts'

/**
 * So many bytes are let pass between two collections. The engine begins its most expensive one when there are
 * half as many bytes again as it has objects, and it may have 30 MB of these.
 */
const betweenBytes = 2 * 1024 ** 2

let passedBytes = 0

/**
 * Frees the chunks of streams that have passed. Node makes a buffer for every read of a socket or a file,
 * and the engine, which sees only small objects, does not look for dead ones among the young before it comes
 * upon them by its most expensive collection. A collection of the young costs a fraction of a millisecond;
 * together they save half of the time of a large upload and most of its memory (`npm run bench upload`), and
 * others wait less (docs/decisions/0094-long-work-yields.md).
 */
export function freeChunks(passed: number): void {
  passedBytes += passed
  if (passedBytes < betweenBytes) return
  passedBytes = 0
  collectGarbage({ type: 'minor' })
}
