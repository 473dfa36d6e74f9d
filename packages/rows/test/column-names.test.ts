import { expect, test } from 'vitest'
import { nameColumns } from '../src/column-names.ts'

test('columns have names of their own, whatever the file calls them', () => {
  expect(nameColumns(['name', 'name', 'name'])).toEqual(['name', 'name_2', 'name_3'])
  expect(nameColumns(['', 'a', ''])).toEqual(['column_1', 'a', 'column_3'])
  expect(nameColumns(['a', ' ', '\u00a0'])).toEqual(['a', 'column_2', 'column_3'])
  expect(nameColumns([])).toEqual([])
})

test('a name that the file has stays that of its column', () => {
  expect(nameColumns(['a', 'a', 'a_2'])).toEqual(['a', 'a_3', 'a_2'])
  expect(nameColumns(['', 'column_1'])).toEqual(['column_1_2', 'column_1'])
  expect(nameColumns(['column_2', ''])).toEqual(['column_2', 'column_2_2'])
})

test('ten thousand columns of one name are named one after the other', () => {
  const names = nameColumns(Array.from({ length: 10_000 }, () => 'a'))
  expect(new Set(names).size).toBe(10_000)
  expect(names.at(-1)).toBe('a_10000')
})
