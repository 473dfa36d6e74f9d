import type { Exclusively } from '../lease.ts'

/** The data folder is locked, so only this process is there to do anything. */
export function exclusivelyHere(): Exclusively {
  const held = new Set<string>()
  return async (name, work) => {
    if (held.has(name)) return undefined
    held.add(name)
    try {
      return await work({ check: () => undefined })
    } finally {
      held.delete(name)
    }
  }
}
