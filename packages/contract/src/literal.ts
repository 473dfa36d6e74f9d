import { isKeepable, unkeepable } from './keepable-text.ts'
import { mimePattern } from './media-type.ts'
import { parseMoment } from './moment.ts'
import type { Literal } from './predicate.ts'
import { kindOf } from './problems.ts'
import type { ValueType } from './value-type.ts'

export type ReadLiteral = { ok: true; value: Literal } | { ok: false; reason: string }

/** How a literal to compare with a value of each type is written. A binary is compared by its measures. */
const readers: Record<
  Exclude<ValueType, 'binary'>,
  (input: unknown, isOrdering?: boolean) => ReadLiteral
> = {
  string: readText,
  reference: readItemId,
  id: readItemId,
  createdAt: readMoment,
  length: readCount,
  bytes: readCount,
  sha256: (input) =>
    typeof input === 'string' && /^[0-9a-f]{64}$/.test(input)
      ? accept(input)
      : refuse('must be a sha256 digest: 64 lowercase hex digits'),
  mime: (input) =>
    typeof input === 'string' && mimePattern.test(input)
      ? accept(input.toLowerCase())
      : refuse('must be a media type such as image/png or image/*'),
}

/** Reads a literal; of a value of unknown type, any text or number. */
export function readLiteral(
  type: ValueType | undefined,
  input: unknown,
  isOrdering: boolean,
): ReadLiteral {
  if (input === null) return refuse('must not be empty; { empty: true } finds what is missing')
  if (type !== undefined && type !== 'binary') return readers[type](input, isOrdering)
  return typeof input === 'string' || typeof input === 'number'
    ? accept(input)
    : refuse(`must be text or a number, not ${kindOf(input)}`)
}

/** Reads a text; one that is compared by its order need not be what a number would be. */
export function readText(input: unknown, isOrdering = false): ReadLiteral {
  if (typeof input === 'number') {
    const compared = isOrdering ? ', which is compared character by character' : ''
    return refuse(`must be text, not a number; in quotes it is text${compared}: "${input}"`)
  }
  if (typeof input !== 'string') return refuse(`must be text, not ${kindOf(input)}`)
  return isKeepable(input) ? accept(input) : refuse(unkeepable)
}

function readItemId(input: unknown): ReadLiteral {
  return isWhole(input) && input >= 1
    ? accept(input)
    : refuse(`must be the id of an item, a whole number from 1, not ${written(input)}`)
}

function readCount(input: unknown): ReadLiteral {
  return isWhole(input) && input >= 0
    ? accept(input)
    : refuse(`must be a whole number from 0, not ${written(input)}`)
}

function readMoment(input: unknown): ReadLiteral {
  const milliseconds = typeof input === 'string' ? parseMoment(input) : undefined
  return milliseconds === undefined
    ? refuse('must be a date or a moment in UTC, such as 2026-01-31 or 2026-01-31T09:30:00Z')
    : accept(milliseconds)
}

function accept(value: Literal): ReadLiteral {
  return { ok: true, value }
}

function refuse(reason: string): ReadLiteral {
  return { ok: false, reason }
}

function isWhole(input: unknown): input is number {
  return Number.isSafeInteger(input)
}

function written(input: unknown): string {
  return typeof input === 'number' ? String(input) : kindOf(input)
}
