import type { DatasetInfo } from '@vitrine/contract'
import { expect, test } from 'vitest'
import { itemsWithWords, itemWords, meantDataset } from '../src/palette/use-palette-groups.ts'

test('the first word is the dataset, and all that follows is looked for in it', () => {
  expect(itemWords('cities')).toBeUndefined()
  expect(itemWords('cities ')).toBeUndefined()
  expect(itemWords(' cities  new  york ')).toEqual({ dataset: 'cities', words: 'new  york' })
})

test('a word means the dataset of that name rather than one that begins with it', () => {
  expect(meantDataset('cities', ['cities-nz', 'Cities', 'cities'])).toBe('cities')
  expect(meantDataset('cities', ['cities-nz', 'Cities'])).toBe('Cities')
  expect(meantDataset('CIT', ['big-cities', 'cities-nz'])).toBe('cities-nz')
  expect(meantDataset('ulm', ['cities'])).toBeUndefined()
})

test('words are looked for in the label, else in the first text', () => {
  const info: DatasetInfo = {
    name: 'cities',
    createdAt: '2026-01-01T00:00:00.000Z',
    schema: [
      { name: 'population', type: 'integer' },
      { name: 'code', type: 'string' },
      { name: 'name', type: 'string' },
    ],
    repo: {},
    referencesTo: [],
    referencedBy: [],
  }
  expect(itemsWithWords(info, 'ulm')).toEqual({ where: { code: { search: 'ulm' } } })
  expect(itemsWithWords({ ...info, repo: { label: 'name' } }, 'ulm')).toEqual({
    where: { name: { search: 'ulm' } },
  })
  expect(itemsWithWords({ ...info, schema: info.schema.slice(0, 1) }, 'ulm')).toBeUndefined()
})
