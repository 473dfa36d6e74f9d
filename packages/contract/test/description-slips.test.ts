import { describe, expect, test } from 'vitest'
import { checkView, checkViewDescription } from '../src/index.ts'
import { resolve } from './photos.ts'
import { quote } from '../src/problems.ts'

/** Each problem as `path: reason`; `(key)` where the key itself is what is wrong. */
function problemsOf(written: unknown): string[] {
  const checked = checkView(written, resolve)
  if (checked.ok) return []
  return checked.problems.map(
    ({ path, reason, atKey }) => `${path.join('.')}${atKey === true ? ' (key)' : ''}: ${reason}`,
  )
}

describe('a view that is valid on its base is valid without it', () => {
  test.each([
    ['2026-01-01T00:00:20Z', '2026-01-01T00:00:20.550Z'],
    ['2026-01-01', '2026-01-01T00:00Z'],
  ])('createdAt between %s and %s', (low, high) => {
    const view = { name: 'v', base: 'photos', where: { createdAt: { between: [low, high] } } }
    expect(checkView(view, resolve).ok).toBe(true)
    expect(checkViewDescription(view).ok).toBe(true)
  })

  test.each([
    [[2, 1], false],
    [['b', 'a'], true],
  ])('between %j by itself, of texts that may be choices in any order', (between, isRight) => {
    const where = { title: { between } }
    expect(checkViewDescription({ name: 'v', base: 'photos', where }).ok).toBe(isRight)
  })
})

const textOperators =
  'eq, neq, lt, lte, gt, gte, in, nin, between, contains, icontains, search, starts_with, ends_with, empty, length'

test.each<[object, string[]]>([
  [
    { title: { gt: 9 } },
    [
      'where.title.gt: must be text, not a number; in quotes it is text, which is compared character by character: "9"',
    ],
  ],
  [
    { title: { between: [1, 9] } },
    [
      'where.title.between.0: must be text, not a number; in quotes it is text, which is compared character by character: "1"',
      'where.title.between.1: must be text, not a number; in quotes it is text, which is compared character by character: "9"',
    ],
  ],
  [{ or: [{ title: { eq: 'a' } }] }, ['where.or (key): unknown field "or"; did you mean "any"?']],
  [
    { and: [{ title: { eq: 'a' } }] },
    ['where.and (key): unknown field "and"; did you mean "all"?'],
  ],
  [{ and: { title: { eq: 'a' } } }, ['where.and (key): unknown field "and"; did you mean "all"?']],
  [{ al: [{ title: { eq: 'a' } }] }, ['where.al (key): unknown field "al"; did you mean "all"?']],
  [
    { ALL: [{ title: { eq: 'a' } }] },
    ['where.ALL (key): unknown field "ALL"; did you mean "all"?'],
  ],
  [
    { titl: ['a'] },
    [
      'where.titl (key): unknown field "titl"; did you mean "title"?',
      'where.titl: must be a mapping of operators, not a list; did you mean { in: ["a"] }?',
    ],
  ],
  [
    { title: { ge: 'a' } },
    [`where.title.ge (key): unknown operator "ge"; expected ${textOperators}; did you mean "gte"?`],
  ],
  [
    { title: { '!=': 'a' } },
    [`where.title.!= (key): unknown operator "!="; expected ${textOperators}; did you mean "neq"?`],
  ],
  [
    { image: { like: 'a' } },
    ['where.image.like (key): unknown operator "like"; expected empty, sha256, mime, bytes'],
  ],
  [
    { title: { eq: 'a'.repeat(121) } },
    ['where.title.eq: is 121 characters, and "title" holds at most 120'],
  ],
  [
    { title: { nin: ['a', 'a'.repeat(121)] } },
    ['where.title.nin.1: is 121 characters, and "title" holds at most 120'],
  ],
  [
    { 'taken_by.name': { contains: '🐈'.repeat(81) } },
    ['where.taken_by.name.contains: is 81 characters, and "taken_by.name" holds at most 80'],
  ],
  [{ title: { icontains: 'a'.repeat(121) } }, []],
  [{ title: { lt: 'a'.repeat(121) } }, []],
])('where: %j', (where, problems) => {
  expect(problemsOf({ name: 'v', base: 'photos', where })).toEqual(problems)
})

test('a field is what it is called, whatever else that means', () => {
  const schema = [{ name: 'or', type: 'string', length: 5 } as const]
  const view = { name: 'v', base: 'x', where: { or: { eq: 'a' } } }
  expect(checkView(view, () => schema).ok).toBe(true)
  expect(checkViewDescription(view).ok).toBe(true)
})

test('a view that is kept is let pass, as it may be older than the rule', () => {
  const view = { name: 'v', base: 'photos', where: { title: { eq: 'a'.repeat(121) } } }
  expect(checkView(view, resolve, { isKept: true }).ok).toBe(true)
})

test('a name with a line break is quoted on one line, without an escape and as itself', () => {
  expect(quote('a\nb\r\nc\td  e')).toBe('"a↵b↵c⇥d  e"')
})
