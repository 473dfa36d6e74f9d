import { describe, expect, test } from 'vitest'
import { checkRepoDescription, checkView } from '../src/index.ts'
import { resolve } from './photos.ts'

/** Each problem as `path: reason`; `(key)` where the key itself is what is wrong. */
function problemsOf(written: unknown): string[] {
  const checked = checkView(written, resolve)
  if (checked.ok) return []
  return checked.problems.map(
    ({ path, reason, atKey }) => `${path.join('.')}${atKey === true ? ' (key)' : ''}: ${reason}`,
  )
}

describe('a view is refused with', () => {
  test.each<[unknown, string[]]>([
    [{ take: 'a' }, ['split.parts: is required']],
    [{ parts: {}, take: 'a' }, ['split.parts: must have 1 to 100 parts, not 0']],
    [
      { parts: { train: 80, test: 20 }, take: 'trian' },
      ['split.take: unknown part "trian"; did you mean "train"?'],
    ],
    [
      { parts: { a: 0.5, b: 0.5 }, take: 'a' },
      [
        'split.parts.a: must be a whole number, not 0.5',
        'split.parts.b: must be a whole number, not 0.5',
      ],
    ],
    [{ parts: { a: 0 }, take: 'a' }, ['split.parts.a: must be at least 1']],
    [
      { parts: { 'a b': 1 }, take: 'a b' },
      [
        'split.parts.a b (key): the part "a b" must have a name of letters, digits, dots, underscores and hyphens only',
      ],
    ],
    [
      { parts: { a: 600000, b: 600000 }, take: 'a' },
      ['split.parts: the weights add up to 1200000, and may to 1000000'],
    ],
    [
      { prts: { a: 1 }, parts: { a: 1 }, take: 'a' },
      ['split.prts (key): unknown key "prts"; did you mean "parts"?'],
    ],
    [
      { by: 'takenby', parts: { a: 1 }, take: 'a' },
      ['split.by: unknown field "takenby"; did you mean "taken_by"?'],
    ],
    [
      { by: 'createdAt', parts: { a: 1 }, take: 'a' },
      ['split.by: must be a field or an id, not a moment'],
    ],
    [
      { salt: 'a\u0000', parts: { a: 1 }, take: 'a' },
      ['split.salt: must be text without NUL and lone surrogates'],
    ],
    [{ salt: 5, parts: { a: 1 }, take: 'a' }, ['split.salt: must be text, not a number']],
    [
      JSON.parse('{"parts":{"__proto__":1,"a":1},"take":"a"}'),
      [
        'split.parts.__proto__ (key): the part "__proto__" must have a name that begins with a letter or a digit',
      ],
    ],
    [5, ['split: must be a mapping, not a number']],
    [{ parts: [1], take: 'a' }, ['split.parts: must be a mapping, not a list']],
  ])('split: %j', (split, problems) => {
    expect(problemsOf({ name: 'v', base: 'photos', split })).toEqual(problems)
  })

  test.each<[unknown, string[]]>([
    ['titel', ['order: unknown field "titel"; did you mean "title"?']],
    [['-title', 'title'], ['order.1: the field "title" is there twice']],
    [[], ['order: must have 1 to 8 entries, not 0']],
    [5, ['order: must be a field or a list of fields']],
    [[5], ['order.0: must be text, not a number']],
    [['image'], ['order.0: "image" is a binary, which has no order']],
    ['--title', ['order: "-title" is no field and no path of fields joined by dots']],
    [
      ['title', 'title', 'title', 'title', 'title', 'title', 'title', 'title', 'title'],
      [
        'order: must have 1 to 8 entries, not 9',
        'order.1: the field "title" is there twice',
        'order.2: the field "title" is there twice',
        'order.3: the field "title" is there twice',
        'order.4: the field "title" is there twice',
        'order.5: the field "title" is there twice',
        'order.6: the field "title" is there twice',
        'order.7: the field "title" is there twice',
        'order.8: the field "title" is there twice',
      ],
    ],
  ])('order: %j', (order, problems) => {
    expect(problemsOf({ name: 'v', base: 'photos', order })).toEqual(problems)
  })

  test.each<[unknown, string[]]>([
    [0, ['limit: must be at least 1']],
    ['5', ['limit: must be a number, not text']],
    [1.5, ['limit: must be a whole number, not 1.5']],
  ])('limit: %j', (limit, problems) => {
    expect(problemsOf({ name: 'v', base: 'photos', limit })).toEqual(problems)
  })

  test.each<[unknown, string[]]>([
    [['titel'], ['fields.0: unknown field "titel"; did you mean "title"?']],
    [
      ['taken_by.name'],
      ['fields.0: a followed field needs a name, such as { name: name, from: taken_by.name }'],
    ],
    [['id'], ['fields.0: every item shows its id and createdAt by itself; "id" is no field']],
    [
      [{ name: 'added', from: 'taken_by.createdAt' }],
      [
        'fields.0.from: every item shows its id and createdAt by itself; "taken_by.createdAt" is no field',
      ],
    ],
    [[{ name: 'id', from: 'title' }], ['fields.0.name: is a reserved name']],
    [
      [
        { name: 'a', from: 'title' },
        { name: 'a', from: 'notes' },
      ],
      ['fields.1.name: the field "a" is there twice'],
    ],
    [['title', 'title'], ['fields.1: the field "title" is there twice']],
    [
      [{ name: 'a', form: 'title' }],
      [
        'fields.0.from: is required',
        'fields.0.form (key): unknown key "form"; did you mean "from"?',
      ],
    ],
    [{ except: ['titel'] }, ['fields.except.0: unknown field "titel"; did you mean "title"?']],
    [{ except: ['title', 'image', 'notes', 'taken_by'] }, ['fields.except: leaves no field']],
    [{ except: ['title', 'title'] }, ['fields.except.1: the field "title" is there twice']],
    [
      { exept: ['title'] },
      [
        'fields.except: is required',
        'fields.exept (key): unknown key "exept"; did you mean "except"?',
      ],
    ],
    [5, ['fields: must be a list of fields, or a mapping with except']],
    [[5], ['fields.0: must be a field, or a mapping with name and from']],
    [[], ['fields: must have at least 1 entry']],
    [[{ name: 'a' }], ['fields.0.from: is required']],
    [
      [{ name: 'a', from: 'taken_by.boss.nme' }],
      ['fields.0.from: unknown field "taken_by.boss.nme"; did you mean "taken_by.boss.name"?'],
    ],
  ])('fields: %j', (fields, problems) => {
    expect(problemsOf({ name: 'v', base: 'photos', fields })).toEqual(problems)
  })

  test.each<[unknown, string[]]>([
    [{ name: 'v', base: 'v' }, ['base: a view cannot be its own base']],
    [{ name: 'v', base: 'nowhere' }, ['base: there is no dataset "nowhere"']],
    [{ name: 'v' }, ['base: is required']],
    [[], [': must be a mapping, not a list']],
    ['x', [': must be a mapping, not text']],
    [null, [': must be a mapping, not empty']],
    [
      { name: 'v', base: 'photos', wher: {} },
      ['wher (key): unknown key "wher"; did you mean "where"?'],
    ],
  ])('%j', (written, problems) => {
    expect(problemsOf(written)).toEqual(problems)
  })
})

test.each([
  ['filter', 'where'],
  ['sort', 'order'],
  ['order_by', 'order'],
  ['select', 'fields'],
  ['Columns', 'fields'],
])('the clause %s is called %s', (key, clause) => {
  expect(problemsOf({ name: 'v', base: 'photos', [key]: ['title'] })).toEqual([
    `${key} (key): unknown key "${key}"; did you mean "${clause}"?`,
  ])
})

test.each([
  ['', 'must have a name'],
  ['-a', 'must have a name that begins with a letter or a digit'],
  ['ä', 'must have a name of letters, digits, dots, underscores and hyphens only'],
  ['a'.repeat(129), 'must have a name of at most 128 characters'],
])('the part %j %s', (name, reason) => {
  const [problem] = problemsOf({
    name: 'v',
    base: 'photos',
    split: { parts: { [name]: 1 }, take: name },
  })
  expect(problem).toMatch(new RegExp(`^split\\.parts.*${reason}$`))
})

test.each(['a\u0000b', 'a\ud800'])('the description %j is refused', (description) => {
  expect(problemsOf({ name: 'v', base: 'photos', description })).toEqual([
    'description: must be text without NUL and lone surrogates',
  ])
  const repo = checkRepoDescription({
    name: 'r',
    description,
    schema: [{ name: 'a', type: 'string' }],
  })
  expect(!repo.ok && repo.problems.map(({ path }) => path)).toEqual([['description']])
})

test.each<[unknown, string[]]>([
  [
    { name: 'n', from: 'title', as: 'intger' },
    ['fields.0.as: unknown type "intger"; did you mean "integer"?'],
  ],
  [{ name: 'n', from: 'title', as: 'string' }, ['fields.0.as: "title" is a string already']],
  [
    { name: 'n', from: 'image', as: 'string' },
    ['fields.0.as: "image" is a binary, which is cast to nothing'],
  ],
  [
    { name: 'n', from: 'taken_by', as: 'date' },
    ['fields.0.as: "taken_by" is a reference, which is cast to string, integer'],
  ],
  [
    { name: 'n', from: 'id', as: 'integer' },
    ['fields.0.from: every item shows its id and createdAt by itself; "id" is no field'],
  ],
  [{ name: 'n', from: 'title', choices: ['a'] }, ['fields.0.choices: only goes with as: string']],
  [
    { name: 'n', from: 'title', as: 'string', choices: ['a', 'a'] },
    ['fields.0.choices: the choice "a" is there twice'],
  ],
  [
    { name: 'n', from: 'title', as: 'string', choices: [] },
    ['fields.0.choices: must have at least 1 entry'],
  ],
  [
    { name: 'n', from: 'title', ass: 'date' },
    ['fields.0.ass (key): unknown key "ass"; did you mean "as"?'],
  ],
  [{ name: 'n', from: 'taken_by.name', as: 'integer' }, []],
  [{ name: 'n', from: 'title', as: 'string', choices: ['b', 'a'] }, []],
])('the cast %j: %j', (field, problems) => {
  expect(problemsOf({ name: 'v', base: 'photos', fields: [field] })).toEqual(problems)
})

test.each<[unknown, string[]]>([
  ['natural:title', []],
  [['-natural:taken_by.name', 'title'], []],
  [
    'natural:taken_by',
    ['order: only strings without choices have a natural order; "taken_by" is a reference'],
  ],
  [['natural:title', '-title'], ['order.1: the field "title" is there twice']],
  ['natural:-title', ['order: "-title" is no field and no path of fields joined by dots']],
  ['natrual:title', ['order: "natrual:title" is no field and no path of fields joined by dots']],
  ['natural:', ['order: "" is no field and no path of fields joined by dots']],
])('the order %j: %j', (order, problems) => {
  expect(problemsOf({ name: 'v', base: 'photos', order })).toEqual(problems)
})
