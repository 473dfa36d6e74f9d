import { foldCase } from '../text/fold-case.ts'
import { searchWords } from '../text/fold-search.ts'
import { type Literal, type Predicate, type Subject, allOf, anyOf, not } from './predicate.ts'
import { type Measure, type ValueType, comparedType } from '../values/index.ts'

/** Operand of an operator, and its meaning as a predicate. `literal`s are of the compared type. */
type Meaning =
  | { operand: 'literal'; predicate: (subject: Subject, value: Literal) => Predicate }
  | { operand: 'list'; predicate: (subject: Subject, values: readonly Literal[]) => Predicate }
  | { operand: 'range'; predicate: (subject: Subject, low: Literal, high: Literal) => Predicate }
  | {
      operand: 'text'
      /** Whether texts are compared as they fold, which may make them longer. */
      folds?: true
      predicate: (subject: Subject, text: string) => Predicate
    }
  | { operand: 'flag'; predicate: (subject: Subject, flag: boolean) => Predicate }
  /** A literal to equal, or a mapping of the operators that fit the measure. */
  | { operand: 'measure'; measure: Measure }

export type Operator = Meaning & {
  /** One sentence for completion and the language reference. */
  summary: string
  /** A condition in YAML flow style. */
  example: string
}

/** Every operator of the view language (docs/views.md). A new operator is a new entry. */
export const operators = {
  eq: {
    operand: 'literal',
    summary: 'equals',
    example: '{ title: { eq: Tabby } }',
    predicate: equals,
  },
  neq: {
    operand: 'literal',
    summary: 'does not equal, or is missing: the negation of eq',
    example: '{ title: { neq: Tabby } }',
    predicate: (subject, value) => not(equals(subject, value)),
  },
  lt: {
    operand: 'literal',
    summary: 'comes before; text compares by code point',
    example: '{ createdAt: { lt: 2026-02-01 } }',
    predicate: (subject, value) => ({ kind: 'lt', subject, value }),
  },
  lte: {
    operand: 'literal',
    summary: 'comes before, or equals',
    example: '{ createdAt: { lte: 2026-02-01T09:30:00Z } }',
    predicate: (subject, value) => ({ kind: 'lte', subject, value }),
  },
  gt: {
    operand: 'literal',
    summary: 'comes after',
    example: '{ id: { gt: 3 } }',
    predicate: (subject, value) => ({ kind: 'gt', subject, value }),
  },
  gte: {
    operand: 'literal',
    summary: 'comes after, or equals',
    example: '{ createdAt: { gte: 2026-02-01 } }',
    predicate: (subject, value) => ({ kind: 'gte', subject, value }),
  },
  in: {
    operand: 'list',
    summary: 'equals one of a list',
    example: '{ taken_by: { in: [1, 3] } }',
    predicate: oneOf,
  },
  nin: {
    operand: 'list',
    summary: 'equals none of a list, or is missing: the negation of in',
    example: '{ taken_by.country: { nin: [NZ, AU] } }',
    predicate: (subject, values) => not(oneOf(subject, values)),
  },
  between: {
    operand: 'range',
    summary: 'lies between two ends, both included',
    example: '{ id: { between: [2, 4] } }',
    predicate: (subject, low, high) =>
      allOf([
        { kind: 'gte', subject, value: low },
        { kind: 'lte', subject, value: high },
      ]),
  },
  contains: {
    operand: 'text',
    summary: 'has a text in it, to the letter',
    example: '{ title: { contains: abb } }',
    predicate: (subject, text) => ({ kind: 'contains', subject, text }),
  },
  icontains: {
    operand: 'text',
    folds: true,
    summary: 'has a text in it, whatever the case (Unicode full case folding)',
    example: '{ title: { icontains: STRASSE } }',
    predicate: (subject, text) => ({ kind: 'icontains', subject, text: foldCase(text) }),
  },
  search: {
    operand: 'text',
    folds: true,
    summary: 'has all words of a text in it, whatever the case, accents and width of letters',
    example: '{ title: { search: "CAT täb" } }',
    predicate: (subject, text) => {
      const words = searchWords(text)
      if (words.length === 0) return not({ kind: 'missing', subject })
      return allOf(words.map((word) => ({ kind: 'search', subject, text: word })))
    },
  },
  starts_with: {
    operand: 'text',
    summary: 'begins with a text, to the letter',
    example: '{ title: { starts_with: Tab } }',
    predicate: (subject, text) => ({ kind: 'starts_with', subject, text }),
  },
  ends_with: {
    operand: 'text',
    summary: 'ends with a text, to the letter',
    example: '{ title: { ends_with: cat } }',
    predicate: (subject, text) => ({ kind: 'ends_with', subject, text }),
  },
  empty: {
    operand: 'flag',
    summary: 'is missing, or is the text of no characters; false asks for the others',
    example: '{ notes: { empty: true } }',
    predicate: (subject, flag) => (flag ? isEmpty(subject) : not(isEmpty(subject))),
  },
  length: {
    operand: 'measure',
    measure: 'length',
    summary: 'counts the code points of a text',
    example: '{ title: { length: { gte: 6 } } }',
  },
  sha256: {
    operand: 'measure',
    measure: 'sha256',
    summary: 'is the digest of the bytes, in lowercase hex',
    example:
      '{ image: { sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 } }',
  },
  mime: {
    operand: 'measure',
    measure: 'mime',
    summary: 'is the media type, whatever the case; image/* stands for every image',
    example: '{ image: { mime: image/png } }',
  },
  bytes: {
    operand: 'measure',
    measure: 'bytes',
    summary: 'is the size in bytes',
    example: '{ image: { bytes: { lt: 1000 } } }',
  },
} as const satisfies Record<string, Operator>

export type OperatorName = keyof typeof operators

export function isOperatorName(name: string): name is OperatorName {
  return Object.hasOwn(operators, name)
}

/** The operators that fit a value of a type, in the order of the table. */
export function operatorsFor(type: ValueType): { name: OperatorName; operator: Operator }[] {
  const { operators: fitting } = comparedType(type)
  return Object.entries<Operator>(operators)
    .map(([name, operator]) => ({ name: name as OperatorName, operator }))
    .filter(({ name }) => fitting.includes(name))
}

function equals(subject: Subject, value: Literal): Predicate {
  if (subject.measure === 'mime' && typeof value === 'string' && value.endsWith('/*')) {
    return { kind: 'starts_with', subject, text: value.slice(0, -1) }
  }
  return { kind: 'eq', subject, value }
}

function oneOf(subject: Subject, values: readonly Literal[]): Predicate {
  return subject.measure === 'mime'
    ? anyOf(values.map((value) => equals(subject, value)))
    : { kind: 'in', subject, values }
}

function isEmpty(subject: Subject): Predicate {
  const missing: Predicate = { kind: 'missing', subject }
  const { emptyValue } = comparedType(subject.path.field.type)
  return emptyValue === undefined
    ? missing
    : anyOf([missing, { kind: 'eq', subject, value: emptyValue }])
}
