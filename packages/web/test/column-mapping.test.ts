import { prepareFieldNames } from '@vitrine/rows/describe/field-name'
import { noId, type ShownField } from '@vitrine/contract'
import type { RowFormat } from '@vitrine/rows/reading'
import { describe, expect, test } from 'vitest'
import { checkSample, isCheckedWhole } from '../src/pages/Import/check-sample.ts'
import {
  columnsParameter,
  columnTargets,
  guessMapping,
  firstMatch,
  itemColumns,
  matchableFields,
  mappingProblems,
  withItemColumns,
} from '../src/pages/Import/column-mapping.ts'
import type { SampleValue } from '../src/data/rows/sample.ts'

const schema = [
  { name: 'full_name', type: 'string', length: 5 },
  { name: 'country', type: 'reference', target: 'countries', optional: true },
  { name: 'image', type: 'binary', mime: 'image/png', optional: true },
]

const guess = async (columns: string[]) => {
  const fieldNames = columns.map(await prepareFieldNames(columns))
  return guessMapping({ columns, fieldNames }, schema)
}

test('columns are guessed by their names, and each field once', async () => {
  expect(
    await guess(['id', 'Full Name', 'full_name', 'country.lookup.code', 'image.mime', 'Other']),
  ).toEqual({
    id: null,
    'Full Name': null,
    full_name: 'full_name',
    'country.lookup.code': 'country.lookup.code',
    'image.mime': 'image.mime',
    Other: null,
  })
  expect(await guess(['FULL-NAME', 'title.sha256'])).toEqual({
    'FULL-NAME': 'full_name',
    'title.sha256': null,
  })
})

test('only what the server would not take by itself is said', () => {
  expect(columnsParameter({ id: null, full_name: 'full_name' })).toBeUndefined()
  expect(columnsParameter({ Name: 'full_name', id: null, Other: null })).toEqual({
    Name: 'full_name',
    Other: null,
  })
})

test('a column may be for a field, its digest, its media type or a lookup', () => {
  const fieldsOf = () => [
    { name: 'code', type: 'string' },
    { name: 'flag', type: 'binary' },
  ]
  expect(columnTargets(schema, fieldsOf)).toEqual([
    'full_name',
    'full_name.sha256',
    'country',
    'country.lookup.code',
    'country.seal',
    'country.sha256',
    'image',
    'image.mime',
    'image.sha256',
  ])
})

test('a mapping that cannot work says why', () => {
  expect(mappingProblems({ a: 'country', b: 'country' }, schema)).toEqual([
    'a and b are both for country',
    'The field full_name is required, and no column is for it',
  ])
  expect(mappingProblems({ a: 'full_name' }, schema)).toEqual([])
  // Each row would become an item without a value.
  const optional = schema.slice(1)
  expect(mappingProblems({ a: null, b: null }, optional)).toEqual([
    'No column is for a field: choose one at least',
  ])
  expect(mappingProblems({}, optional)).toEqual([])
})

test('rows are held to the schema as far as that can be known', () => {
  const sample = {
    columns: ['name', 'country', 'left'],
    fieldNames: [],
    rows: [
      { line: 2, values: ['Ada', '7', 'x'] },
      { line: 3, values: ['Frances', undefined, 'x'] },
      { line: 4, values: [undefined, 'NZ', 'x'] },
      { line: 5, values: [], problem: 'has 2 cells, and the first line has 3' },
    ],
  }
  const mapping = { name: 'full_name', country: 'country', left: null }
  const found = [
    { line: 3, column: 'name', reason: 'full_name must be at most 5 characters (code points)' },
    { line: 4, column: 'country', reason: `country ${noId}` },
    { line: 5, column: undefined, reason: 'has 2 cells, and the first line has 3' },
  ]
  expect(checkSample(sample, { mapping, schema, format: 'csv' })).toEqual(found)
  const ndjson = checkSample(sample, { mapping, schema, format: 'ndjson' })
  expect(ndjson).toContainEqual({ line: 4, column: 'name', reason: 'full_name is required' })
})

test('the preview refuses what the server would, and says where that may be more', () => {
  const fields = [
    { name: 'title', type: 'string', length: 5 },
    { name: 'by', type: 'reference', target: 'people' },
  ]
  const check = (value: SampleValue, format: 'csv' | 'ndjson' = 'csv') => {
    const sample = {
      columns: ['title', 'by'],
      fieldNames: [],
      rows: [{ line: 2, values: [value, '7'] }],
    }
    const mapping = { title: 'title', by: 'by' }
    return checkSample(sample, { mapping, schema: fields, format }).map(({ reason }) => reason)
  }
  // An empty cell of a required text is the empty text, in the server too.
  expect(check(undefined)).toEqual([])
  expect(check(undefined, 'ndjson')).toEqual(['title is required'])
  expect(check('a\0b')).toEqual(['title must not contain U+0000'])
  expect(check('a\ud800')).toEqual(['title must not contain half of a surrogate pair'])
  expect(check({ unfit: 'must be valid UTF-8' })).toEqual(['title must be valid UTF-8'])
  const references = { columns: ['by'], fieldNames: [], rows: [{ line: 2, values: [undefined] }] }
  expect(
    checkSample(references, { mapping: { by: 'by' }, schema: fields, format: 'csv' }),
  ).toMatchObject([{ reason: 'by is required' }])
  expect(isCheckedWhole({ title: 'title', x: null }, fields)).toBe(true)
  expect(isCheckedWhole({ title: 'title', by: 'by' }, fields)).toBe(false)
  expect(isCheckedWhole({ title: 'title', sum: 'title.sha256' }, fields)).toBe(false)
})

describe('values of a type are held to it as an import does', () => {
  const reasonFor = (
    field: Omit<ShownField, 'name'>,
    value: SampleValue,
    format: RowFormat = 'csv',
  ) => {
    const sample = { columns: ['x'], fieldNames: [], rows: [{ line: 2, values: [value] }] }
    const options = { mapping: { x: 'x' }, schema: [{ name: 'x', ...field }], format }
    return checkSample(sample, options)[0]?.reason
  }
  const choices = { type: 'string', length: 9, choices: ['small', 'large'] }

  test.each<[Omit<ShownField, 'name'>, SampleValue, RowFormat]>([
    [{ type: 'integer' }, ' +007 ', 'csv'],
    [{ type: 'integer' }, 5, 'ndjson'],
    [{ type: 'number' }, '1.50', 'csv'],
    [{ type: 'number' }, 1e300, 'parquet'],
    [{ type: 'boolean' }, 'Yes', 'csv'],
    [{ type: 'boolean' }, true, 'ndjson'],
    [{ type: 'date' }, '2026/11/22', 'csv'],
    [{ type: 'timestamp' }, '2026-11-22 15:04+01:00', 'csv'],
    [{ type: 'json' }, '{"a": 1}', 'csv'],
    [{ type: 'json' }, 'text', 'ndjson'],
    [{ type: 'json' }, { json: '{"a":[1]}' }, 'ndjson'],
    [{ type: 'json' }, { json: '{"a":[1]}' }, 'json'],
    [{ type: 'json' }, 'text', 'json'],
    [{ type: 'json' }, { json: '{"a":[1]}' }, 'parquet'],
    [{ type: 'json' }, '{"a": 1}', 'parquet'],
    [{ type: 'string', length: 5 }, 1.5, 'ndjson'],
    [choices, 'large', 'csv'],
    [{ type: 'moment' }, 'of a type that is not known', 'csv'],
  ])('%j takes %j of %s', (field, value, format) => {
    expect(reasonFor(field, value, format)).toBeUndefined()
  })

  test.each<[Omit<ShownField, 'name'>, SampleValue, RowFormat, RegExp]>([
    [{ type: 'integer' }, '1.5', 'csv', /^x must be a whole number$/],
    [{ type: 'integer' }, '9007199254740993', 'csv', /^x must be a whole number from -?\d+ to/],
    [{ type: 'integer' }, true, 'ndjson', /^x must be a whole number/],
    [{ type: 'number' }, '1,5', 'csv', /^x must be a finite number/],
    [{ type: 'boolean' }, 'perhaps', 'csv', /^x must be true or false/],
    [{ type: 'date' }, '2026-02-30', 'csv', /^x must be a day/],
    // As text it is the 22nd of November, and as a number of NDJSON nothing of the kind.
    [{ type: 'date' }, 20_261_122, 'ndjson', /^x must be a day/],
    [{ type: 'timestamp' }, 'noon', 'csv', /^x must be a moment/],
    [{ type: 'json' }, 'text', 'csv', /^x must be JSON/],
    [{ type: 'json' }, 'text', 'parquet', /^x must be JSON/],
    [{ type: 'string', length: 5 }, { json: '[1]' }, 'parquet', /^x must be text/],
    [{ type: 'json' }, { json: '[1546130668394913822]' }, 'parquet', /write it as a string/],
    [{ type: 'json' }, { bytes: 3 }, 'parquet', /^x must be JSON/],
    [{ type: 'string', length: 5 }, { bytes: 3 }, 'parquet', /^x must be text/],
    [{ type: 'string', length: 5 }, { json: '{}' }, 'ndjson', /^x must be text/],
    [choices, 'huge', 'csv', /^x must be one of .*small.*large/],
    [{ type: 'integer' }, undefined, 'csv', /^x is required/],
  ])('%j refuses %j of %s', (field, value, format, reason) => {
    expect(reasonFor(field, value, format)).toMatch(reason)
  })

  test('nothing of it is left to the server', () => {
    const schema = ['integer', 'number', 'boolean', 'date', 'timestamp', 'json'].map((type) => ({
      name: type,
      type,
    }))
    const mapping = Object.fromEntries(schema.map(({ name }) => [name, name]))
    expect(isCheckedWhole(mapping, schema)).toBe(true)
    expect(isCheckedWhole({ x: 'x' }, [{ name: 'x', type: 'moment' }])).toBe(false)
  })
})

test('rows are matched by fields that a column is for, and by the ids of items', () => {
  const mapping = { id: null, Name: 'full_name', who: 'country.lookup.code', Other: null }
  expect(matchableFields(mapping, schema)).toEqual(['full_name', 'country'])
  const aboutItems = itemColumns(['import-corrections'])
  const matched = withItemColumns(mapping, aboutItems, true)
  expect(matched).toEqual({ ...mapping, id: 'id' })
  expect(matchableFields(matched, schema)).toEqual(['id', 'full_name', 'country'])
  expect(columnsParameter(matched)).not.toHaveProperty('id')
  expect(withItemColumns({ ...mapping, Other: 'id' }, aboutItems, false)).toEqual(mapping)
  expect(firstMatch(mapping, schema)).toEqual([])
  expect(firstMatch(matched, schema)).toEqual(['id'])
  // What no column is for stays.
  expect(mappingProblems({ id: 'id' }, schema, ['id'])).toEqual([])
})

test('rows say themselves what they correct where the server takes that', () => {
  const mapping = { id: null, 'id.withdraws': null, 'id.reason': null, Name: 'full_name' }
  const aboutItems = itemColumns(['import-corrections'])
  const matched = withItemColumns(mapping, aboutItems, true)
  expect(Object.values(matched)).toEqual(['id', 'id.withdraws', 'id.reason', 'full_name'])
  expect(matchableFields(matched, schema)).toEqual(['id', 'id.replaces', 'full_name'])
  expect(firstMatch(matched, schema)).toEqual(['id.replaces'])
  expect(columnsParameter(matched)).toEqual({ Name: 'full_name' })
  expect(mappingProblems(matched, schema, ['id.replaces'])).toEqual([])
  expect(mappingProblems(matched, schema, [])).toEqual([])
  expect(mappingProblems(matched, schema, ['id'])).toEqual([
    'The column id.withdraws is for rows that say which items they correct',
    'The column id.reason is for rows that say which items they correct',
  ])
  expect(withItemColumns(matched, aboutItems, false)).toEqual(mapping)
  expect(columnTargets(schema, () => [], aboutItems).slice(0, 5)).toEqual([
    ...aboutItems,
    'full_name',
  ])
  const without = itemColumns(['import-match'])
  expect(withItemColumns(mapping, without, true)).toEqual({ ...mapping, id: 'id' })
})
