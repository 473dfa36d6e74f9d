import { type Condition, checkViewDescription } from '@vitrine/contract'
import { parseDescription } from '@vitrine/client/yaml'
import { describe, expect, test } from 'vitest'
import { explorationOf, explorationSearch, paths, readExploration } from '../src/paths.ts'
import { binText, mergedBins } from '../src/explore/bins.ts'
import { hasComparison, isBeside, toggledWhere, whereBeside } from '../src/explore/facet-filters.ts'
import { filterText } from '../src/explore/filter-text.ts'
import { filtersOf, whereOf } from '../src/explore/filters.ts'
import { enteredOperand, readOperand } from '../src/explore/operand-text.ts'
import { choicesFor, filterOf, simpleFilter } from '../src/explore/simple-filter.ts'
import { orderText, toggledOrder } from '../src/explore/sort-order.ts'
import { viewBeginning } from '../src/explore/view-beginning.ts'

/** Conditions as they are written, the filters that they fall into, and what is written for those. */
const conditions: [where: Condition, chips: string[], again: Condition][] = [
  [{ title: { icontains: 'tabby' } }, ['title contains tabby'], { title: { icontains: 'tabby' } }],
  [
    { title: { gt: 'a', lt: 'b' }, image: { bytes: { gte: 1, lt: 9 }, mime: 'image/*' } },
    ['title > a', 'title < b', 'image bytes ≥ 1', 'image bytes < 9', 'image media type is image/*'],
    { title: { gt: 'a', lt: 'b' }, image: { bytes: { gte: 1, lt: 9 }, mime: 'image/*' } },
  ],
  [
    { all: [{ title: { neq: 'a' } }, { title: { neq: 'b' } }] },
    ['title is not a', 'title is not b'],
    { all: [{ title: { neq: 'a' } }, { title: { neq: 'b' } }] },
  ],
  [
    { all: [{ not: { title: { eq: 'a' } } }, { not: { notes: { eq: 'b' } } }] },
    ['not (title is a)', 'not (notes is b)'],
    { all: [{ not: { title: { eq: 'a' } } }, { not: { notes: { eq: 'b' } } }] },
  ],
  [
    { all: [{ 'by.country': { in: ['NZ', 'AU'] } }, { notes: { empty: true } }] },
    ['by.country is one of NZ, AU', 'notes is missing or empty'],
    { 'by.country': { in: ['NZ', 'AU'] }, notes: { empty: true } },
  ],
  [
    { any: [{ id: { between: [1, 3] } }, { not: { notes: { empty: false }, id: { eq: 1 } } }] },
    ['id is between 1 and 3 or not (notes is there and id is 1)'],
    { any: [{ id: { between: [1, 3] } }, { not: { notes: { empty: false }, id: { eq: 1 } } }] },
  ],
]

describe('filters', () => {
  test.each(conditions)('%j', (where, chips, again) => {
    const filters = filtersOf(where)
    expect(filters.map((filter) => filterText(filter))).toEqual(chips)
    expect(whereOf(filters)).toEqual(again)
    expect(filtersOf(whereOf(filters))).toEqual(filters)
  })

  test('none is no condition', () => {
    expect(whereOf([])).toBeUndefined()
    expect(filtersOf(undefined)).toEqual([])
  })

  test('a form shows one operator of one path, and gives it back', () => {
    for (const filter of conditions.flatMap(([where]) => filtersOf(where))) {
      const simple = simpleFilter(filter)
      const logic = 'any' in filter || 'not' in filter
      expect(simple === undefined).toBe(logic)
      if (simple === undefined) continue
      const again = filtersOf(filterOf(simple)).map((each) => filterText(each))
      expect(again).toEqual([filterText(filter)])
    }
  })

  test('every choice is a filter that the language takes', () => {
    const operands = { one: 'a/b', list: ['a/b'], ends: ['a', 'b'] }
    for (const type of ['string', 'binary'] as const) {
      for (const choice of choicesFor(type)) {
        const number = choice.measure === 'length' || choice.measure === 'bytes'
        const text = choice.measure === 'sha256' ? 'a'.repeat(64) : operands.one
        const operand = readOperand(choice.operator, choice.measure ?? type, [
          number ? '1' : text,
          number ? '2' : 'b',
        ])
        const where = filterOf({ ...choice, path: 'x', operand })
        expect(checkViewDescription({ name: 'v', base: 'b', where })).toMatchObject({ ok: true })
      }
    }
  })
})

describe('a filter chosen in a column header', () => {
  const bounds = { gte: 0, lt: 10 }

  test('replaces the previous one of the column, and is removed when chosen again', () => {
    const other = { name: { icontains: 'a' } }
    const first = toggledWhere(other, 'people', bounds)
    expect(first).toEqual({ ...other, people: bounds })
    expect(hasComparison(first, 'people', bounds)).toBe(true)
    expect(hasComparison(first, 'people', { gte: 0, lt: 5 })).toBe(false)
    const second = toggledWhere(first, 'people', { gte: 10, lt: 20 })
    expect(second).toEqual({ ...other, people: { gte: 10, lt: 20 } })
    expect(toggledWhere(second, 'people', { empty: true })).toEqual({
      ...other,
      people: { empty: true },
    })
    expect(toggledWhere(first, 'people', bounds)).toEqual(other)
    expect(toggledWhere({ people: bounds }, 'people', bounds)).toBeUndefined()
    expect(
      toggledWhere({ flag: { mime: 'image/*' } }, 'flag', { mime: { eq: 'image/png' } }),
    ).toEqual({ flag: { mime: { eq: 'image/png' } } })
  })

  test('leaves other conditions alone, also those of the same field', () => {
    const asked = {
      people: { gte: 5, neq: 7 },
      'land.people': { eq: 1 },
      any: [{ people: { eq: 1 } }],
    }
    expect(whereBeside(asked, 'people')).toEqual(asked)
    expect(toggledWhere(asked, 'people', { eq: 9 })).toEqual({
      ...asked,
      people: { gte: 5, neq: 7, eq: 9 },
    })
    expect(whereBeside({ name: { length: { gte: 1, lt: 9 }, gte: 'a' } }, 'name')).toEqual({
      name: { gte: 'a' },
    })
  })

  test('tells bins in it from those beside it, whichever bins there are', () => {
    const where = { people: { gte: 0, lt: 40 }, founded: { gte: '1000-01-01', lt: '1100-01-01' } }
    const besides = [{ lt: 0 }, { gte: 0, lt: 20 }, { gte: 20, lt: 40 }, { gte: 30, lt: 60 }]
    expect(besides.map((bin) => isBeside(where, { name: 'people', type: 'integer' }, bin))).toEqual(
      [true, false, false, true],
    )
    expect(
      isBeside(where, { name: 'people', type: 'integer' }, { length: { gte: 90, lt: 99 } }),
    ).toBe(false)
    expect(isBeside(where, { name: 'area', type: 'number' }, { gte: 90, lt: 99 })).toBe(false)
    expect(
      isBeside(where, { name: 'founded', type: 'date' }, { gte: '1050-01-01', lt: '1060-01-01' }),
    ).toBe(false)
    expect(isBeside(where, { name: 'founded', type: 'date' }, { gte: '1100-01-01' })).toBe(true)
  })

  test('has bins merged to at most a given number, with the outer bounds of the merged ones', () => {
    const bins = [1, 2, 3, 4, 5].map((from) => ({ from, to: from + 1, count: from }))
    expect(mergedBins(bins, 2)).toEqual([
      { from: 1, to: 4, count: 6 },
      { from: 4, to: 6, count: 9 },
    ])
    expect(mergedBins(bins, 5)).toEqual(bins)
    expect(mergedBins([], 5)).toEqual([])
    const open = [
      { to: 1, count: 2 },
      { from: 1, count: 3 },
    ]
    expect(mergedBins(open, 2).map(binText)).toEqual(['before 1', 'from 1'])
  })
})

describe('an operand', () => {
  test.each([
    ['eq', 'string', ['2024'], '2024'],
    ['eq', 'reference', ['7'], 7],
    ['gt', 'createdAt', ['2026-01-31'], '2026-01-31'],
    ['in', 'string', ['a, "b, c", "d\\"e", f'], ['a', 'b, c', 'd"e', 'f']],
    ['in', 'id', ['1, 2,'], [1, 2]],
    ['between', 'length', ['1', '20'], [1, 20]],
    ['empty', 'binary', ['false'], false],
    ['eq', 'id', ['x'], 'x'],
    ['contains', 'string', [' two  words '], ' two  words '],
    ['gt', 'integer', [' -5000000 '], -5_000_000],
    ['gt', 'integer', ['1.5'], '1.5'],
    ['between', 'number', ['-0.5', '1e3'], [-0.5, 1000]],
    ['in', 'integer', ['1, +2'], [1, 2]],
    ['eq', 'boolean', [''], true],
    ['neq', 'boolean', ['false'], false],
    ['lt', 'date', [' 2026-01-31'], '2026-01-31'],
    ['eq', 'timestamp', ['2026-01-31T09:30:00Z '], '2026-01-31T09:30:00Z'],
  ] as const)('%s of %s from %j is %j', (operator, type, texts, operand) => {
    expect(readOperand(operator, type, texts)).toEqual(operand)
    const entered = enteredOperand(operator, operand)
    expect(readOperand(operator, type, entered)).toEqual(operand)
  })
})

describe('an address', () => {
  const asked = { where: conditions[1]![0], order: ['-title', 'by.name'] }

  test('gives back what was asked', () => {
    expect(readExploration(explorationSearch(asked))).toEqual({ ok: true, value: asked })
    const { searchParams } = new URL(paths.items('a b', asked), 'http://x')
    expect(readExploration(searchParams)).toEqual({ ok: true, value: asked })
    expect(paths.items('a')).toBe('/dataset/a/item')
  })

  test('asks for current items of a server that knows them', () => {
    const search = new URLSearchParams('current=true')
    expect(readExploration(search)).toEqual({ ok: true, value: {} })
    expect(readExploration(search, ['current'])).toEqual({ ok: true, value: { current: true } })
    expect(paths.summary('a', { current: true })).toBe('/dataset/a/summary?current=true')
    expect(viewBeginning(new URLSearchParams('base=a&order=b&current=true'))).toBe(
      '---\nname: \nbase: a\ncurrent: true\norder: [ b ]\n',
    )
  })

  test('says what is wrong with it', () => {
    const read = readExploration(new URLSearchParams('where={"a":1}&order=a&page=3'))
    expect(read).toMatchObject({ ok: false, problems: [{ path: ['where', 'a'] }] })
  })

  test('asks what a view asks, as far as it can be read', () => {
    const view = { base: 'photos', ...asked, limit: 5 }
    expect(explorationOf(view)).toEqual(asked)
    expect(explorationOf({ where: 'sql' })).toEqual({})
  })
})

describe('a view of what is on screen', () => {
  const beginning = (where: Condition | undefined, order?: string[]) =>
    viewBeginning(new URL(paths.saveAsView('photos', { where, order }), 'http://x').searchParams)

  test('begins as short YAML with an empty name', () => {
    expect(beginning({ title: { icontains: 'a: b' }, by: { in: [1, 2] } }, ['-title'])).toBe(
      '---\nname: \nbase: photos\nwhere:\n  title: { icontains: "a: b" }\n  by: { in: [ 1, 2 ] }\norder: [ -title ]\n',
    )
  })

  test.each(conditions)('says the same: %j', (where) => {
    const parsed = parseDescription(beginning(where, ['title', '-id']))
    const base = 'photos'
    expect(parsed).toMatchObject({
      ok: true,
      value: { name: null, base, where, order: ['title', '-id'] },
    })
  })

  test('an address that asks nothing begins with nothing', () => {
    expect(viewBeginning(new URLSearchParams())).toBe('---')
    expect(viewBeginning(new URLSearchParams('base=photos&where=x'))).toBe('---')
  })
})

test('a header sorts up, down and not at all', () => {
  const toggled = (order?: string[]) => toggledOrder(order, 'title', 'string')
  expect(toggled()).toEqual(['title'])
  expect(toggled(['-id', 'title'])).toEqual(['title'])
  expect(toggled(['title'])).toEqual(['-title'])
  expect(toggled(['-title', 'id'])).toBeUndefined()
  expect(toggled(['natural:title'])).toEqual(['-natural:title'])
  expect(toggled(['-natural:title'])).toBeUndefined()
  const size = (order?: string[]) => toggledOrder(order, 'size', 'integer')
  expect(size()).toEqual(['-size'])
  expect(size(['-size', 'id'])).toEqual(['size'])
  expect(size(['size'])).toBeUndefined()
  expect(orderText(['-title', 'id'])).toBe('title ↓, id ↑')
  expect(orderText(['-natural:title'])).toBe('title ↓ natural')
})
