import { collectGarbage } from './collect-garbage.ts'

/**
 * Gives back to the system what a thread took to load its code: more than it keeps of it, and left to the
 * engine it stays (docs/decisions/0098-threads-begin-small.md). Takes some 20 ms.
 */
export function freeStart(): void {
  collectGarbage({ type: 'major', flavor: 'last-resort' })
}
