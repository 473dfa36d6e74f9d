import { countCodePoints, isStorable, tooLongText, invalidText, notStorable } from '../text/text.ts'
import { limits } from '../limits.ts'
import type { Literal, Predicate } from '../view/predicate.ts'
import { quote } from '../problems.ts'
import { readText } from './read-text.ts'
import {
  type FieldChange,
  type FieldOf,
  type Read,
  type TextType,
  type Zod,
  accept,
  refuse,
  textComparisons,
} from './type-definition.ts'

export type StringField = FieldOf<'string'> & {
  /** The most code points a value may have. */
  length: number
  /** The only values, in their order. */
  choices?: string[]
}

/** The most bytes of a code point in UTF-8 (RFC 3629 §3). */
const codePointBytesMax = 4

export const string: TextType<StringField, string> = {
  noun: 'a string',
  summary: 'text, or one of some choices',
  description: (z) => ({
    length: z._default(
      z.int().check(z.minimum(1), z.maximum(limits.stringLength)),
      limits.stringLengthDefault,
    ),
    choices: z.optional(choicesDescription(z)),
  }),
  shape: (z) => ({
    length: z.int().check(z.minimum(1), z.maximum(limits.stringLength)),
    choices: z.optional(z.array(z.string())),
  }),
  problems: ({ length, choices: listed = [] }) => choicesProblems(listed, length),
  changes: (before, after) => [...lengthChanges(before, after), ...choicesChanges(before, after)],
  isOrdered: true,
  inferred: undefined,
  scale: 'name',
  operandInput: {},
  operators: [...textComparisons, 'length'],
  literal: (input, { isOrdering }) => readText(input, isOrdering),
  emptyValue: '',
  neverMatches: (value, field, { isPart, name }) => {
    const { length, choices: listed } = field
    const characters = countCodePoints(String(value))
    if (characters > length) {
      return `is ${characters} characters, and ${quote(name)} holds at most ${length}`
    }
    const isNone = !isPart && listed?.includes(String(value)) === false
    return isNone ? `is none of the choices ${enumerate(listed)}` : undefined
  },
  compare: (a, b, { choices: listed }) =>
    listed && listed.indexOf(String(a)) - listed.indexOf(String(b)),
  rewrite: (test, field) => (field.choices === undefined ? test : inOrder(test, field.choices)),
  text: {
    cell: 'text',
    toCell: (text) => text,
    fromCell: String,
    toText: (text) => text,
    fromText: readString,
    fromFile: readScalar,
    forms: 'text as it is; numbers and truth values as their texts',
    maxBytes: ({ length }) => length * codePointBytesMax,
    tooLong: tooLongText,
  },
}

export function choicesDescription(z: Zod) {
  return z
    .array(z.string().check(z.refine(isStorable, notStorable)))
    .check(z.minLength(1), z.maxLength(limits.choices))
}

/** Why texts cannot be the choices of a field of so many code points. */
export function choicesProblems(
  listed: readonly string[],
  length: number,
): { key: string; reason: string }[] {
  const repeated = listed.find((each, index) => listed.indexOf(each) < index)
  const tooLong = listed.find((each) => countCodePoints(each) > length)
  const reasons = [
    ...(repeated === undefined ? [] : [`the choice ${quote(repeated)} is there twice`]),
    ...(tooLong === undefined
      ? []
      : [`the choice ${quote(tooLong)} is longer than ${length} characters`]),
  ]
  return reasons.map((reason) => ({ key: 'choices', reason }))
}

function lengthChanges(before: StringField, after: StringField): FieldChange[] {
  if (before.length === after.length) return []
  const change = `length ${after.length} instead of ${before.length}`
  return after.length > before.length ? [{ change }] : [{ change, reason: 'values may be longer' }]
}

/** Sort keys hold the place of a choice, so no choice may come to stand in another. */
function choicesChanges({ choices: before }: StringField, after: StringField): FieldChange[] {
  const { choices } = after
  if (before === undefined) {
    return choices === undefined
      ? []
      : [{ change: `choices ${enumerate(choices)}`, reason: 'values may be none of them' }]
  }
  if (choices === undefined) {
    return [{ change: 'no choices', reason: 'items are ordered by the places of the choices' }]
  }
  const gone = before.filter((choice) => !choices.includes(choice))
  if (gone.length > 0) {
    return [
      { change: `without the choices ${enumerate(gone)}`, reason: 'values may be among them' },
    ]
  }
  const added = choices.filter((choice) => !before.includes(choice))
  if (!before.every((choice, index) => choices[index] === choice)) {
    const reason =
      'items are ordered by the places of the choices: leave them, and add others after'
    return [{ change: `choices in the order ${enumerate(choices)}`, reason }]
  }
  return added.length === 0 ? [] : [{ change: `more choices: ${enumerate(added)}` }]
}

/** A number stands for itself, where it is exact. */
function readScalar(input: unknown, field: StringField): Read<string> {
  const isInexact = Number.isInteger(input) && !Number.isSafeInteger(input)
  return isInexact || typeof input === 'object'
    ? refuse('must be text, or a number that is exact')
    : readString(typeof input === 'string' ? asChoice(input, field) : input, field)
}

/** The choice that is the same text composed otherwise, as macOS writes accents; else the text as it is. */
function asChoice(text: string, { choices: listed }: StringField): string {
  if (listed === undefined || listed.includes(text)) return text
  const form = text.normalize('NFC')
  return listed.find((each) => each.normalize('NFC') === form) ?? text
}

function readString(input: unknown, field: StringField): Read<string> {
  const text = String(input)
  const reason = invalidText(field, text)
  if (reason !== undefined) return refuse(reason)
  if (field.choices?.includes(text) === false) {
    return refuse(`must be one of ${enumerate(field.choices)}`)
  }
  return accept(text)
}

const enumerated = 12

function enumerate(choices: readonly string[]): string {
  const more = choices.length > enumerated ? ` and ${choices.length - enumerated} more` : ''
  return choices.slice(0, enumerated).map(quote).join(', ') + more
}

/** Choices are in the order in which they are listed, so those on one side of one are what is meant. */
function inOrder(test: Predicate, choices: readonly Literal[]): Predicate {
  switch (test.kind) {
    case 'all':
    case 'any':
      return { kind: test.kind, of: test.of.map((each) => inOrder(each, choices)) }
    case 'not':
      return { kind: 'not', of: inOrder(test.of, choices) }
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte': {
      const at = choices.indexOf(test.value)
      const values = {
        lt: choices.slice(0, Math.max(at, 0)),
        lte: choices.slice(0, at + 1),
        gt: at === -1 ? [] : choices.slice(at + 1),
        gte: at === -1 ? [] : choices.slice(at),
      }[test.kind]
      return { kind: 'in', subject: test.subject, values }
    }
    default:
      return test
  }
}
