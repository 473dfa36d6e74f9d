import { kindOf } from '../problems.ts'
import { isNumeric } from './integer.ts'
import {
  accept,
  canonicalOnly,
  refuse,
  shortBytes,
  trimmed,
  type FieldOf,
  type Read,
  type TextType,
} from './type-definition.ts'

export type BooleanField = FieldOf<'boolean'>

const noBoolean = 'must be true or false'

/** Compared, and ordered, as 0 and 1. */
export const boolean: TextType<BooleanField, boolean> = {
  noun: 'a boolean',
  summary: 'true or false',
  isOrdered: true,
  inferred: { plural: 'true or false', comesAsText: () => false },
  scale: 'name',
  operandInput: { isTruth: true, read: (text) => text !== 'false' },
  operators: ['eq', 'neq', 'empty'],
  literal: (input) =>
    typeof input === 'boolean'
      ? accept(Number(input))
      : refuse(`must be true or false, not ${kindOf(input)}`),
  text: {
    cell: 'integer',
    toCell: Number,
    fromCell: (cell) => cell === 1,
    toText: String,
    fromText: (text) => canonicalOnly(text, readBoolean(text), String),
    fromFile: readBoolean,
    forms: '`true` `t` `yes` `y` `on` `1` and `false` `f` `no` `n` `off` `0`, in any case',
    maxBytes: shortBytes,
    tooLong: () => noBoolean,
  },
}

const words = new Map([
  ...['true', 't', 'yes', 'y', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', 'off', '0'].map((word) => [word, false] as const),
])

function readBoolean(input: unknown): Read<boolean> {
  if (typeof input === 'boolean') return accept(input)
  const word = isNumeric(input) ? String(input) : ''
  const value = words.get(trimmed(word).toLowerCase())
  return value === undefined ? refuse(noBoolean) : accept(value)
}
