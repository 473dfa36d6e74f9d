import * as z from 'zod/mini'
import { compareText } from '../text/text.ts'
import { limits } from '../limits.ts'
import { readText } from '../values/read-text.ts'
import type { Path } from './path.ts'
import type { Scope } from './scope.ts'
import { quote, unknownName } from '../problems.ts'
import { splitPoint } from './split-point.ts'

/** Why a part cannot have a name, if it cannot. */
function partNameProblem(name: string): string | undefined {
  if (name === '') return 'must have a name'
  if (name.length > 128) return 'must have a name of at most 128 characters'
  if (/[^A-Za-z0-9._-]/.test(name)) {
    return 'must have a name of letters, digits, dots, underscores and hyphens only'
  }
  return /^[._-]/.test(name) ? 'must have a name that begins with a letter or a digit' : undefined
}

const weight = z.int().check(z.minimum(1), z.maximum(limits.splitWeight))

/** Divides the items by a hash into parts of given weights, and keeps one part. */
export const splitDescription = z.strictObject({
  by: z.optional(z.string()),
  salt: z.optional(
    z
      .string()
      .check(z.maxLength(limits.splitSalt, `must be at most ${limits.splitSalt} characters`)),
  ),
  parts: z.record(z.string(), weight),
  take: z.string(),
})
export type SplitDescription = z.output<typeof splitDescription>

/** One part: the keys whose hash, modulo the sum of all weights, is from `from` to below `to`. */
export type SplitPart = { name: string; from: number; to: number }

export type Split = {
  /** The value that is the key; the item's id when there is none. */
  by?: Path
  salt: string
  /** In the order of their names by code point, as a mapping has none of its own. */
  parts: SplitPart[]
  /** The sum of all weights. */
  total: number
  take: SplitPart
}

/** Lays parts side by side in the order of their names, so that rewriting the mapping moves no item. */
export function splitParts(weights: Readonly<Record<string, number>>): SplitPart[] {
  let from = 0
  return Object.entries(weights)
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([name, weight]) => {
      const part = { name, from, to: from + weight }
      from = part.to
      return part
    })
}

/** The key of an item: decimal digits of an id, a text itself, a digest in hex; '' when it is missing. */
export function splitKey(value: string | number | undefined): string {
  return value === undefined ? '' : String(value)
}

/** Finds the part of a key by the sha256 of its `splitText`, in hex. */
export function splitPart(digest: string, parts: readonly SplitPart[]): SplitPart {
  const point = splitPoint(digest, parts.at(-1)!.to)
  return parts.find(({ to }) => point < to)!
}

/** Reads a split, reporting what is wrong with it. */
export function readSplit(
  { by, salt = '', parts: weights, take }: SplitDescription,
  scope: Scope,
): Split | undefined {
  const names = Object.keys(weights)
  for (const name of names) {
    const problem = partNameProblem(name)
    if (problem !== undefined) {
      const reason = `the part ${quote(name)} ${problem}`
      scope.report({ path: ['split', 'parts', name], reason, atKey: true })
    }
  }
  if (names.length === 0 || names.length > limits.splitParts) {
    scope.report({
      path: ['split', 'parts'],
      reason: `must have 1 to ${limits.splitParts} parts, not ${names.length}`,
    })
    return undefined
  }
  const text = readText(salt)
  if (!text.ok) scope.report({ path: ['split', 'salt'], reason: text.reason })
  const path = by === undefined ? undefined : scope.path(by, ['split', 'by'])
  if (path?.field.type === 'createdAt') {
    scope.report({
      path: ['split', 'by'],
      reason: 'must be a field or an id, not a moment',
    })
  }
  const parts = splitParts(weights)
  const taken = parts.find(({ name }) => name === take)
  if (taken === undefined) {
    scope.report(unknownName(['split', 'take'], 'part', take, names))
    return undefined
  }
  const total = parts.at(-1)!.to
  if (total > limits.splitWeight) {
    scope.report({
      path: ['split', 'parts'],
      reason: `the weights add up to ${total}, and may to ${limits.splitWeight}`,
    })
  }
  return { ...(path && { by: path }), salt, parts, total, take: taken }
}
