import { mimePattern } from './media-type.ts'
import { parseMoment } from '../text/moment.ts'
import { kindOf } from '../problems.ts'
import {
  accept,
  comparisons,
  refuse,
  type ComparedType,
  type ReadLiteral,
  countInput,
  momentInput,
} from './type-definition.ts'

const count = {
  operators: comparisons,
  literal: readCount,
  scale: undefined,
  operandInput: countInput,
} as const

/** Types that are compared but are no fields: id and moment of every row, and measures of values. */
export const measured = {
  id: {
    noun: 'an id',
    operators: comparisons,
    literal: readItemId,
    scale: undefined,
    operandInput: countInput,
  },
  createdAt: {
    noun: 'a moment',
    operators: comparisons,
    literal: readMoment,
    scale: 'time',
    operandInput: momentInput,
  },
  length: { noun: 'a length', ...count },
  bytes: { noun: 'a size', ...count },
  sha256: {
    noun: 'a digest',
    operators: ['eq', 'neq', 'in', 'nin'],
    literal: (input) =>
      typeof input === 'string' && /^[0-9a-f]{64}$/.test(input)
        ? accept(input)
        : refuse('must be a sha256 digest: 64 lowercase hex digits'),
    scale: undefined,
    operandInput: { example: '64 hex digits' },
  },
  mime: {
    noun: 'a media type',
    operators: ['eq', 'neq', 'in', 'nin'],
    literal: (input) =>
      typeof input === 'string' && mimePattern.test(input)
        ? accept(input.toLowerCase())
        : refuse('must be a media type such as image/png or image/*'),
    scale: undefined,
    operandInput: { example: 'image/png or image/*' },
  },
} as const satisfies Record<string, ComparedType>

export function readItemId(input: unknown): ReadLiteral {
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

function isWhole(input: unknown): input is number {
  return Number.isSafeInteger(input)
}

function written(input: unknown): string {
  return typeof input === 'number' ? String(input) : kindOf(input)
}
