import { describe, expect, test } from 'vitest'
import {
  searchedFields,
  searchedLabel,
  searchedReferences,
  searchedWhere,
  type Condition,
} from '../src/index.ts'

const schema = [
  { name: 'title', type: 'string' },
  { name: 'year', type: 'integer' },
  { name: 'page', type: 'url' },
  { name: 'any', type: 'string' },
  { name: 'by', type: 'reference', target: 'people' },
  { name: 'about', type: 'json' },
  { name: 'shape', type: 'geometry' },
]

test('texts and addresses are searched, but not what the language takes for logic', () => {
  expect(searchedFields(schema)).toEqual(['title', 'page'])
})

test('the labels of what references lead to are searched, but not of those with names of logic', () => {
  const not = { name: 'not', type: 'reference', target: 'people' }
  expect(searchedReferences([...schema, not])).toEqual([{ name: 'by', target: 'people' }])
  const inLabel = searchedLabel('by', 'name', 'a')
  expect(inLabel).toEqual({ 'by.name': { search: 'a' } })
  expect(searchedWhere({ q: 'a' }, schema.slice(0, 1), [inLabel])).toEqual({
    any: [{ title: { search: 'a' } }, inLabel],
  })
  expect(searchedWhere({ q: 'a' }, schema.slice(1, 2), [inLabel])).toEqual(inLabel)
})

describe('words and a filter are one condition', () => {
  const words = { any: [{ title: { search: 'a b' } }, { page: { search: 'a b' } }] }
  test.each<[where: Condition | undefined, q: string | undefined, Condition | undefined]>([
    [undefined, undefined, undefined],
    [undefined, ' \u0301', undefined],
    [{ year: { gt: 1 } }, '', { year: { gt: 1 } }],
    [undefined, 'a b', words],
    // What was written keeps its place, by which problems with it are told.
    [{ year: { gt: 1 } }, 'a b', { year: { gt: 1 }, all: [words] }],
    [{ any: [{ id: { eq: 1 } }] }, 'a b', { any: [{ id: { eq: 1 } }], all: [words] }],
    [{ all: [{ id: { eq: 1 } }] }, 'a b', { all: [{ id: { eq: 1 } }, words] }],
  ])('%j, %j', (where, q, expected) => {
    expect(searchedWhere({ where, q }, schema)).toEqual(expected)
  })

  test('one field needs no list', () => {
    expect(searchedWhere({ q: 'a' }, schema.slice(0, 2))).toEqual({ title: { search: 'a' } })
  })
})
