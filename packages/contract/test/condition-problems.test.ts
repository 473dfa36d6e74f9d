import { expect, test } from 'vitest'
import { checkView, checkViewDescription } from '../src/index.ts'
import { resolve } from './photos.ts'

/** Each problem as `path: reason`; `(key)` where the key itself is what is wrong. */
function problemsOf(written: unknown): string[] {
  const checked = checkView(written, resolve)
  if (checked.ok) return []
  return checked.problems.map(
    ({ path, reason, atKey }) => `${path.join('.')}${atKey === true ? ' (key)' : ''}: ${reason}`,
  )
}

test.each<[unknown, string[]]>([
  [
    [{ title: { eq: 'a' } }],
    [
      'where: must be a mapping of fields to comparisons, not a list; a list stands under all or any',
    ],
  ],
  ['title', ['where: must be a mapping of fields to comparisons, not text']],
  [{}, ['where: must have at least one entry']],
  [null, ['where: must be a mapping of fields to comparisons, not empty']],
  [{ title: {} }, ['where.title: must have at least one operator']],
  [
    { title: 'Tabby' },
    ['where.title: must be a mapping of operators, not text; did you mean { eq: "Tabby" }?'],
  ],
  [{ id: 3 }, ['where.id: must be a mapping of operators, not a number; did you mean { eq: 3 }?']],
  [
    { title: ['a', 'b'] },
    ['where.title: must be a mapping of operators, not a list; did you mean { in: ["a","b"] }?'],
  ],
  [
    { title: null },
    [
      'where.title: must be a mapping of operators, not empty; { empty: true } finds what is missing',
    ],
  ],
  [{ title: true }, ['where.title: must be a mapping of operators, not true or false']],
  [
    {
      title:
        'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    },
    ['where.title: must be a mapping of operators, not text'],
  ],
  [{ titel: { eq: 'a' } }, ['where.titel (key): unknown field "titel"; did you mean "title"?']],
  [
    { xyzzy: { eq: 'a' } },
    [
      'where.xyzzy (key): unknown field "xyzzy"; "photos" has title, taken_by, image, notes, id, createdAt',
    ],
  ],
  [
    { 'taken_by.nam': { eq: 'a' } },
    ['where.taken_by.nam (key): unknown field "taken_by.nam"; did you mean "taken_by.name"?'],
  ],
  [
    { 'taken_by.boss.contry.code': { eq: 'a' } },
    [
      'where.taken_by.boss.contry.code (key): unknown field "taken_by.boss.contry"; did you mean "taken_by.boss.country"?',
    ],
  ],
  [
    { 'title.length': { eq: 3 } },
    ['where.title.length (key): a path follows references, and "title" is a string'],
  ],
  [
    { 'taken_by.name.first': { eq: 'a' } },
    ['where.taken_by.name.first (key): a path follows references, and "taken_by.name" is a string'],
  ],
  [{ 'id.x': { eq: 1 } }, ['where.id.x (key): a path follows references, and "id" is an id']],
  [
    { 'a..b': { eq: 1 } },
    ['where.a..b (key): "a..b" is no field and no path of fields joined by dots'],
  ],
  [{ '': { eq: 1 } }, ['where. (key): "" is no field and no path of fields joined by dots']],
  [
    { 'taken_by.boss.boss.boss.boss.boss.boss.boss.boss.boss.name': { eq: 'a' } },
    [
      'where.taken_by.boss.boss.boss.boss.boss.boss.boss.boss.boss.name (key): a path follows at most 8 references',
    ],
  ],
  [
    JSON.parse('{"__proto__":{"eq":1}}'),
    ['where.__proto__ (key): "__proto__" is no field and no path of fields joined by dots'],
  ],
  [
    { title: { eqq: 'a' } },
    [
      'where.title.eqq (key): unknown operator "eqq"; expected eq, neq, lt, lte, gt, gte, in, nin, between, contains, icontains, search, starts_with, ends_with, empty, length; did you mean "eq"?',
    ],
  ],
  [
    { title: { frobnicate: 'a' } },
    [
      'where.title.frobnicate (key): unknown operator "frobnicate"; expected eq, neq, lt, lte, gt, gte, in, nin, between, contains, icontains, search, starts_with, ends_with, empty, length',
    ],
  ],
  [
    { title: { sha256: 'a' } },
    [
      'where.title.sha256 (key): the operator "sha256" does not fit a string; expected eq, neq, lt, lte, gt, gte, in, nin, between, contains, icontains, search, starts_with, ends_with, empty, length',
    ],
  ],
  [
    { image: { eq: 'a' } },
    [
      'where.image.eq (key): the operator "eq" does not fit a binary; expected empty, sha256, mime, bytes',
    ],
  ],
  [
    { taken_by: { contains: 'a' } },
    [
      'where.taken_by.contains (key): the operator "contains" does not fit a reference; expected eq, neq, lt, lte, gt, gte, in, nin, between, empty',
    ],
  ],
  [
    { createdAt: { empty: true } },
    [
      'where.createdAt.empty (key): the operator "empty" does not fit a moment; expected eq, neq, lt, lte, gt, gte, in, nin, between',
    ],
  ],
  [
    { id: { starts_with: 'a' } },
    [
      'where.id.starts_with (key): the operator "starts_with" does not fit an id; expected eq, neq, lt, lte, gt, gte, in, nin, between',
    ],
  ],
  [{ title: { eq: 5 } }, ['where.title.eq: must be text, not a number; in quotes it is text: "5"']],
  [
    { title: { eq: null } },
    ['where.title.eq: must not be empty; { empty: true } finds what is missing'],
  ],
  [{ title: { eq: true } }, ['where.title.eq: must be text, not true or false']],
  [{ title: { eq: ['a'] } }, ['where.title.eq: must be text, not a list']],
  [
    { id: { eq: [1] } },
    ['where.id.eq: must be the id of an item, a whole number from 1, not a list'],
  ],
  [
    { taken_by: { neq: null } },
    ['where.taken_by.neq: must not be empty; { empty: true } finds what is missing'],
  ],
  [{ title: { eq: 'a\u0000' } }, ['where.title.eq: must be text without NUL and lone surrogates']],
  [
    { title: { contains: '\ud800' } },
    ['where.title.contains: must be text without NUL and lone surrogates'],
  ],
  [
    { title: { contains: 5 } },
    ['where.title.contains: must be text, not a number; in quotes it is text: "5"'],
  ],
  [{ title: { contains: null } }, ['where.title.contains: must be text, not empty']],
  [
    { taken_by: { eq: '5' } },
    ['where.taken_by.eq: must be the id of an item, a whole number from 1, not text'],
  ],
  [
    { taken_by: { eq: 1.5 } },
    ['where.taken_by.eq: must be the id of an item, a whole number from 1, not 1.5'],
  ],
  [{ id: { eq: 0 } }, ['where.id.eq: must be the id of an item, a whole number from 1, not 0']],
  [
    { 'taken_by.country': { in: ['NZ'] } },
    ['where.taken_by.country.in.0: must be the id of an item, a whole number from 1, not text'],
  ],
  [
    { createdAt: { gte: 'yesterday' } },
    [
      'where.createdAt.gte: must be a date or a moment in UTC, such as 2026-01-31 or 2026-01-31T09:30:00Z',
    ],
  ],
  [
    { createdAt: { gte: '2026-02-30' } },
    [
      'where.createdAt.gte: must be a date or a moment in UTC, such as 2026-01-31 or 2026-01-31T09:30:00Z',
    ],
  ],
  [
    { createdAt: { gte: '2026-01-01T00:00:00+01:00' } },
    [
      'where.createdAt.gte: must be a date or a moment in UTC, such as 2026-01-31 or 2026-01-31T09:30:00Z',
    ],
  ],
  [
    { createdAt: { gte: 20260101 } },
    [
      'where.createdAt.gte: must be a date or a moment in UTC, such as 2026-01-31 or 2026-01-31T09:30:00Z',
    ],
  ],
  [{ title: { in: 'a' } }, ['where.title.in: must be a list, not text']],
  [{ title: { in: [] } }, ['where.title.in: must have at least one entry']],
  [
    { title: { in: ['a', 5] } },
    ['where.title.in.1: must be text, not a number; in quotes it is text: "5"'],
  ],
  [{ title: { between: ['b', 'a'] } }, ['where.title.between: the low end is above the high end']],
  [
    { createdAt: { between: ['2026-01-02', '2026-01-01'] } },
    ['where.createdAt.between: the low end is above the high end'],
  ],
  [
    { title: { between: ['a'] } },
    ['where.title.between: must be a list of two, the low end and the high end'],
  ],
  [
    { id: { between: [3, 'x'] } },
    ['where.id.between.1: must be the id of an item, a whole number from 1, not text'],
  ],
  [{ title: { empty: 'yes' } }, ['where.title.empty: must be true or false, not text']],
  [{ title: { length: 'x' } }, ['where.title.length: must be a whole number from 0, not text']],
  [{ title: { length: -1 } }, ['where.title.length: must be a whole number from 0, not -1']],
  [
    { title: { length: { contains: 'a' } } },
    [
      'where.title.length.contains (key): the operator "contains" does not fit a length; expected eq, neq, lt, lte, gt, gte, in, nin, between',
    ],
  ],
  [{ title: { length: {} } }, ['where.title.length: must have at least one operator']],
  [
    { title: { length: { lte: 2.5 } } },
    ['where.title.length.lte: must be a whole number from 0, not 2.5'],
  ],
  [
    { title: { length: { len: 2 } } },
    [
      'where.title.length.len (key): unknown operator "len"; expected eq, neq, lt, lte, gt, gte, in, nin, between',
    ],
  ],
  [{ title: { length: [1] } }, ['where.title.length: must be a whole number from 0, not a list']],
  [
    { image: { sha256: 'ABC' } },
    ['where.image.sha256: must be a sha256 digest: 64 lowercase hex digits'],
  ],
  [
    { image: { mime: 'image' } },
    ['where.image.mime: must be a media type such as image/png or image/*'],
  ],
  [{ image: { bytes: 'big' } }, ['where.image.bytes: must be a whole number from 0, not text']],
  [
    { image: { mime: { lt: 'image/png' } } },
    [
      'where.image.mime.lt (key): the operator "lt" does not fit a media type; expected eq, neq, in, nin',
    ],
  ],
  [
    { image: { sha256: { in: ['x'] } } },
    ['where.image.sha256.in.0: must be a sha256 digest: 64 lowercase hex digits'],
  ],
  [{ all: [] }, ['where.all: must have at least one condition']],
  [{ any: {} }, ['where.any: must be a list of conditions, not a mapping']],
  [{ any: [] }, ['where.any: must have at least one condition']],
  [
    { not: [] },
    [
      'where.not: must be a mapping of fields to comparisons, not a list; a list stands under all or any',
    ],
  ],
  [{ all: ['title'] }, ['where.all.0: must be a mapping of fields to comparisons, not text']],
  [{ not: {} }, ['where.not: must have at least one entry']],
])('where: %j', (where, problems) => {
  expect(problemsOf({ name: 'v', base: 'photos', where })).toEqual(problems)
})

test('a condition nested 40,000 deep is refused, and ends', () => {
  let where: object = { title: { eq: 'x' } }
  for (let depth = 0; depth < 40_000; depth += 1) where = { not: where }
  const checked = checkView({ name: 'v', base: 'photos', where }, resolve)
  expect(!checked.ok && checked.problems.map(({ reason }) => reason)).toEqual([
    'a description nests at most 32 levels',
  ])
})

test.each([
  ['taken_by.nam', 'taken_by.name'],
  ['taken_by.boss.contry.code', 'taken_by.boss.country.code'],
  ['title.length', 'title'],
  ['xyzzy', undefined],
])('the nearest path to %s is %s', (path, nearest) => {
  const where = { [path]: { eq: 'a' } }
  const checked = checkView({ name: 'v', base: 'photos', where }, resolve)
  expect(!checked.ok && checked.problems.map((problem) => problem.nearest)).toEqual([nearest])
})

test('without a schema, only conditions that no schema could allow are refused', () => {
  const where = { nobody: { eq: 'a' }, title: { eqq: 1 }, a: { length: 'x' }, 'b..c': { eq: 1 } }
  const checked = checkViewDescription({ name: 'v', base: 'photos', where })
  expect(!checked.ok && checked.problems.map(({ path }) => path.slice(1))).toEqual([
    ['title', 'eqq'],
    ['a', 'length'],
    ['b..c'],
  ])
})

test('a whole number that no double holds exactly is compared with nothing', () => {
  const schema = [{ name: 'stars', type: 'integer' as const }]
  const check = (stars: number) =>
    checkView({ name: 'best', base: 'rated', where: { stars: { eq: stars } } }, () => schema)
  expect(check(Number.MAX_SAFE_INTEGER).ok).toBe(true)
  expect(check(Number.MAX_SAFE_INTEGER + 1)).toMatchObject({
    ok: false,
    problems: [{ path: ['where', 'stars', 'eq'] }],
  })
})
