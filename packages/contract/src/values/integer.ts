import { kindOf } from '../problems.ts'
import {
  accept,
  canonicalOnly,
  comparisons,
  refuse,
  shortBytes,
  trimmed,
  type FieldOf,
  type Read,
  type TextType,
  readEntered,
} from './type-definition.ts'

export type IntegerField = FieldOf<'integer'>

const bounds = `from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`
const noInteger = 'must be a whole number'
const tooLarge = `must be a whole number ${bounds}`

export const integer: TextType<IntegerField, number> = {
  noun: 'an integer',
  summary: `a whole number ${bounds}`,
  isOrdered: true,
  inferred: { plural: 'integers', comesAsText: () => false },
  scale: 'number',
  operandInput: { read: (text) => readEntered(text, readInteger(text)) },
  operators: [...comparisons, 'empty'],
  literal: (input) =>
    Number.isSafeInteger(input)
      ? accept(input as number)
      : refuse(
          `must be a whole number, not ${typeof input === 'number' ? String(input) : kindOf(input)}`,
        ),
  text: {
    cell: 'integer',
    toCell: (value) => value,
    fromCell: Number,
    toText: String,
    fromText: (text) => canonicalOnly(text, readInteger(text), String),
    fromFile: readInteger,
    forms: 'whole numbers: `5`, `+5`, `007`, `5.0`; spaces around them; no separators of thousands',
    maxBytes: shortBytes,
    tooLong: () => tooLarge,
  },
}

const whole = /^[+-]?[0-9]+(?:\.0*)?$/

function readInteger(input: unknown): Read<number> {
  const value = typeof input === 'string' ? wholeOf(trimmed(input)) : Number(input)
  if (!isNumeric(input) || !Number.isInteger(value)) return refuse(noInteger)
  return Number.isSafeInteger(value) ? accept(value + 0) : refuse(tooLarge)
}

function wholeOf(text: string): number {
  return whole.test(text) ? Number(text) : Number.NaN
}

/** Whether files have a number, or what may be one, in this place. */
export function isNumeric(input: unknown): input is string | number | bigint {
  return ['string', 'number', 'bigint'].includes(typeof input)
}
