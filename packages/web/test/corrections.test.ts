import { expect, test } from 'vitest'
import {
  correctedSample,
  correctionsByColumn,
  readCorrections,
  withCorrection,
} from '../src/pages/Import/corrections.ts'

const schema = [
  { name: 'title', type: 'string' },
  { name: 'by', type: 'reference', target: 'people' },
  { name: 'about', type: 'json' },
]
const columns = ['Title', 'author', 'about']
const mapping = { Title: 'title', author: 'by.lookup.name' }

test('a correction is of the column that its field is read from, also by a lookup', () => {
  const corrections = { 7: { by: 'Ada', about: '[1]' }, 9: { title: '', about: '' } }
  expect([...correctionsByColumn(corrections, { columns, mapping, schema })]).toEqual([
    [7, { author: 'Ada', about: { json: '[1]' } }],
    [9, { Title: '', about: '' }],
  ])
  const sample = {
    columns,
    fieldNames: columns,
    rows: [
      { line: 7, values: ['a', 'b', 'c'] },
      { line: 9, values: ['d', 'e', 'f'] },
    ],
  }
  expect(correctedSample(sample, { corrections, mapping }).rows).toEqual([
    { line: 7, values: ['a', 'Ada', '[1]'] },
    { line: 9, values: [undefined, 'e', undefined] },
  ])
})

test('a correction that is taken back leaves nothing', () => {
  const at = { line: 7, field: 'by' }
  const one = withCorrection({}, { ...at, value: 'Ada' })
  expect(one).toEqual({ 7: { by: 'Ada' } })
  const two = withCorrection(one, { line: 7, field: 'title', value: 'x' })
  expect(withCorrection(two, { ...at, value: undefined })).toEqual({ 7: { title: 'x' } })
  expect(withCorrection(one, { ...at, value: undefined })).toEqual({})
})

test('stored corrections are read only if they have the expected shape', () => {
  expect(readCorrections({ 7: { by: 'Ada' } })).toEqual({ 7: { by: 'Ada' } })
  for (const other of [null, [], 'a', { 7: 'Ada' }, { 7: { by: 1 } }]) {
    expect(readCorrections(other)).toBeUndefined()
  }
})
