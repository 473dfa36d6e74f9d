import type { Problem } from './errors.ts'
import { nearest } from './nearest.ts'

export function quote(name: string): string {
  return JSON.stringify(name.length > 64 ? `${name.slice(0, 63)}…` : name)
}

/**
 * A problem about a name that is not among the valid ones, with the one that was meant, or else the
 * nearest. A name that ends the path is a key.
 */
export function unknownName(
  path: Problem['path'],
  what: string,
  name: string,
  valid: Iterable<string>,
  meant?: string,
): Problem {
  const near = meant ?? nearest(name, valid)
  const hint = near === undefined ? '' : `; did you mean ${quote(near)}?`
  return {
    path,
    reason: `unknown ${what} ${quote(name)}${hint}`,
    ...(near !== undefined && { nearest: near }),
    ...(path.at(-1) === name && { atKey: true }),
  }
}
