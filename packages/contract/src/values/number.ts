import { kindOf } from '../problems.ts'
import { isNumeric } from './integer.ts'
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

export type NumberField = FieldOf<'number'>

const noNumber = 'must be a finite number, such as 1.5 or 1e-7'

/** Text is as RFC 8785 §3.2.2.3 has it, which is ECMA-262's own. */
export const number: TextType<NumberField, number> = {
  noun: 'a number',
  summary: 'a number with a fraction or without, as a 64-bit floating point number holds it',
  isOrdered: true,
  inferred: {
    plural: 'numbers',
    // Integers beyond those that a double holds.
    comesAsText: (text) => Math.abs(Number(text)) > Number.MAX_SAFE_INTEGER,
  },
  scale: 'number',
  operandInput: { read: (text) => readEntered(text, readNumber(text)) },
  operators: [...comparisons, 'empty'],
  literal: (input) =>
    typeof input === 'number' && Number.isFinite(input)
      ? accept(input + 0)
      : refuse(`must be a number, not ${kindOf(input)}`),
  text: {
    cell: 'number',
    toCell: (value) => value,
    fromCell: Number,
    toText: String,
    fromText: (text) => canonicalOnly(text, readNumber(text), String),
    fromFile: readNumber,
    forms:
      'decimal numbers: `1.50`, `+1.5`, `.5`, `1E5`; spaces around them; the nearest double is kept; no infinity, no NaN, no separators of thousands',
    maxBytes: shortBytes,
    tooLong: () => noNumber,
  },
}

const decimal = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?$/

/** -0 is 0, so that each number has one text. */
function readNumber(input: unknown): Read<number> {
  const text = typeof input === 'string' ? trimmed(input) : undefined
  const value = text !== undefined && !decimal.test(text) ? Number.NaN : Number(text ?? input)
  return isNumeric(input) && Number.isFinite(value) ? accept(value + 0) : refuse(noNumber)
}
