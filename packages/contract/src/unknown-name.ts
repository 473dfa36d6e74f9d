import type { Problem } from './errors.ts'
import { nearest } from './nearest.ts'

/** Quotes a name in a sentence, on one line; a line break or tab in it is a sign, not an escape that would look typed. */
export function quote(name: string): string {
  const line = name.replaceAll(/\r\n|[\n\r]/g, '↵').replaceAll('\t', '⇥')
  return JSON.stringify(line.length > 64 ? `${line.slice(0, 63)}…` : line)
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
