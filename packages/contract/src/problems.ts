import type * as z from 'zod/mini'
import type { Problem } from './api/errors.ts'
import { nearest } from './text/nearest.ts'

/** The result of checking something that came from outside. */
export type Checked<T> = { ok: true; value: T } | { ok: false; problems: Problem[] }

/** Parses with a schema; what does not fit comes back as problems, unknown keys with the nearest valid one. */
export function check<T extends z.ZodMiniType>(schema: T, input: unknown): Checked<z.output<T>> {
  const result = schema.safeParse(input)
  if (result.success) return { ok: true, value: result.data }
  return { ok: false, problems: result.error.issues.flatMap((issue) => toProblems(issue, input)) }
}

function toProblems(issue: z.core.$ZodIssue, input: unknown): Problem[] {
  const path = issue.path.filter((key) => typeof key !== 'symbol')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...path, key],
      reason: `unknown key ${quote(key)}`,
      atKey: true,
    }))
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const closest = issue.errors.toSorted((a, b) => depth(b) - depth(a))[0]!
    if (depth(closest) > 0) {
      return closest.flatMap((inner) =>
        toProblems({ ...inner, path: [...issue.path, ...inner.path] }, input),
      )
    }
  }
  return [{ path, reason: reasonOf(issue, valueAt(input, path)) }]
}

function depth(issues: z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length))
}

function reasonOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'invalid_type' && value === undefined) return 'is required'
  if (issue.message !== '' && issue.message !== 'Invalid input') return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int'
        ? `must be a whole number, not ${String(value)}`
        : `must be ${kinds[issue.expected] ?? issue.expected}, not ${kindOf(value)}`
    case 'too_big':
      return boundReason(`at most ${issue.maximum}`, issue.origin)
    case 'too_small':
      return boundReason(`at least ${issue.minimum}`, issue.origin)
    case 'invalid_value':
      return `must be ${issue.values.map((allowed) => String(allowed)).join(' or ')}`
    default:
      return 'is not valid here'
  }
}

function boundReason(bound: string, origin: string): string {
  if (origin !== 'array') return `must be ${bound}`
  return `must have ${bound} ${bound.endsWith(' 1') ? 'entry' : 'entries'}`
}

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
}

/** Names the kind of a value in a sentence: `a list`. */
export function kindOf(value: unknown): string {
  if (value === null) return 'empty'
  if (Array.isArray(value)) return 'a list'
  return kinds[typeof value] ?? typeof value
}

function valueAt(input: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string | number, unknown>)[key]
        : undefined,
    input,
  )
}

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

/** A problem as a sentence that says of which key it speaks, where its place alone would not. */
export function problemText({ path, reason }: Problem): string {
  const key = path.at(-1)
  return typeof key === 'string' && /^(?:is|must|leaves) /.test(reason)
    ? `${key} ${reason}`
    : reason
}
