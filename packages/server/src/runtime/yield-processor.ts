import { getPriority, platform, setPriority } from 'node:os'

/** How much nicer a thread is to others, of the 19 steps there are. */
const niceness = 10

/**
 * Lets this thread run where the others of the process leave a processor free: long work is not to keep
 * short replies waiting (docs/decisions/performance.md). Only Linux has a priority for each
 * thread (setpriority(2), "C library/kernel differences"); elsewhere it would be the whole process's.
 */
export function yieldProcessor(): void {
  if (platform() === 'linux') setPriority(Math.min(getPriority() + niceness, 19))
}
