import { readFileSync } from 'node:fs'

/**
 * Finds the npm that runs this script, through the shell that it runs it by. The shell does not pass on a
 * signal that ends it, and goes on when npm is killed.
 * @returns {() => boolean} whether npm still runs; true for ever where it cannot be told
 */
export function watchNpm() {
  if (process.env.npm_lifecycle_event === undefined) return () => true
  const parent = process.ppid
  const shellParent = parentOf(parent)
  return () => process.ppid === parent && parentOf(parent) === shellParent
}

/** Undefined where there is no /proc, and for a process that npm itself is (proc(5), /proc/pid/stat). */
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, name, rest] = /^\d+ \((.*)\) \S+ (\d+)/s.exec(stat)
    return /^(?:ba|da|z)?sh$/.test(name) ? Number(rest) : undefined
  } catch {
    return undefined
  }
}
