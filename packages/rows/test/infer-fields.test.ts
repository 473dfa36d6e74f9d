import { expect, test } from 'vitest'
import { prepareFieldNames } from '../src/describe/field-name.ts'
import { FieldInference } from '../src/describe/infer-fields.ts'
import { readRows } from '../src/read-rows.ts'
import type { TextFormat } from '../src/reading.ts'

async function infer(text: string, format: TextFormat) {
  const inference = new FieldInference()
  for await (const batch of readRows(new Blob([text]), { format })) inference.add(batch)
  const { rows, unreadable } = inference
  return { rows, unreadable, columns: await inference.infer() }
}

test('lengths come from all rows, with room, and what is missing makes a field optional', async () => {
  const inference = await infer(
    `code,Full Name,note\nNZ,Aotearoa / New Zealand,\nTO,"Puleʻanga Fakatuʻi ʻo Tonga","a ""b"""\n`,
    'csv',
  )
  expect(inference.rows).toBe(2)
  expect(inference.columns).toEqual([
    {
      column: 'code',
      longest: 2,
      missing: 0,
      field: { name: 'code', type: 'string', length: 10 },
    },
    {
      column: 'Full Name',
      longest: 27,
      missing: 0,
      field: { name: 'Full_Name', type: 'string', length: 50 },
    },
    {
      column: 'note',
      longest: 5,
      missing: 1,
      field: { name: 'note', type: 'string', length: 10, optional: true },
    },
  ])
})

test('the last row counts, however far into the file it is', async () => {
  const rows = Array.from({ length: 60_000 }, (_, index) => `{"n":${index},"text":"short"}`)
  rows.push(`{"n":1,"text":"${'😀'.repeat(300)}","late":true}`)
  const { columns, rows: count } = await infer(rows.join('\n'), 'ndjson')
  expect(count).toBe(60_001)
  expect(columns.map(({ field }) => field)).toEqual([
    { name: 'n', type: 'string', length: 10 },
    { name: 'text', type: 'string', length: 500 },
    { name: 'late', type: 'string', length: 10, optional: true },
  ])
})

test('id, createdAt, digests and columns of lists are left out', async () => {
  const { columns } = await infer(
    '{"id":1,"createdAt":"2026","tags":["a"],"t":"x","t.sha256":"00"}\n',
    'ndjson',
  )
  expect(columns.map(({ column, leftOut }) => [column, leftOut])).toEqual([
    ['id', 'an import gives its own'],
    ['createdAt', 'an import gives its own'],
    ['tags', 'it has lists or objects, which no field takes'],
    ['t', undefined],
    ['t.sha256', 'it is about t'],
  ])
})

const inferTyped = async (values: unknown[], delimiter?: string) => {
  const inference = new FieldInference({ isTyped: true })
  const rows = values.map((value, index) => ({ line: index + 1, values: [value] }))
  inference.add({
    columns: ['c'],
    rows,
    bytes: 0,
    ...(delimiter !== undefined && { reading: { delimiter } }),
  })
  return (await inference.infer())[0]?.field
}
const inferDoubt = async (values: unknown[]) => {
  const inference = new FieldInference({ isTyped: true })
  const rows = values.map((value, index) => ({ line: index + 2, values: [value] }))
  inference.add({ columns: ['c'], rows, bytes: 0, reading: { delimiter: ',' } })
  return (await inference.infer())[0]!
}
const typed = (...values: unknown[]) => inferTyped(values, ',')

test('a column is of the type that writes all of its values as they are', async () => {
  expect(await typed('5', '-12', undefined)).toEqual({ name: 'c', type: 'integer', optional: true })
  expect(await typed('5', '1.5', '1e+21')).toEqual({ name: 'c', type: 'number' })
  expect(await typed('true', false)).toEqual({ name: 'c', type: 'boolean' })
  expect(await typed('2026-11-22')).toEqual({ name: 'c', type: 'date' })
  expect(await typed('2026-11-22T15:04:05.25Z')).toEqual({ name: 'c', type: 'timestamp' })
})

test('texts of a typed format that look like numbers or booleans stay text', async () => {
  expect(await inferTyped([5, 7n])).toEqual({ name: 'c', type: 'integer' })
  expect(await inferTyped([5, 1.5, '1e+21'])).toEqual({ name: 'c', type: 'number' })
  expect(await inferTyped([true])).toEqual({ name: 'c', type: 'boolean' })
  expect(await inferTyped(['2026-11-22'])).toEqual({ name: 'c', type: 'date' })
  expect(await inferTyped(['2026-11-22T15:04:05Z'])).toEqual({ name: 'c', type: 'timestamp' })
  for (const text of ['12345', '1.5', 'true']) {
    expect(await inferTyped([text]), text).toMatchObject({ type: 'string' })
  }
})

test('blank cells of CSV are missing numbers, and are texts', async () => {
  const optional = { optional: true }
  expect(await typed('5', '', '7')).toEqual({ name: 'c', type: 'integer', ...optional })
  expect(await typed('2026-11-22', ' ')).toEqual({ name: 'c', type: 'date', ...optional })
  expect(await typed('true', '\t\r\n')).toEqual({ name: 'c', type: 'boolean', ...optional })
  expect(await typed('x', '')).toEqual({ name: 'c', type: 'string', length: 10 })
  expect(await typed('', '')).toEqual({ name: 'c', type: 'string', length: 10 })
  expect(await inferTyped([5, ''])).toEqual({ name: 'c', type: 'string', length: 10 })
  expect(await inferDoubt(['5', '', '6', '7', '8', 'x'])).toMatchObject({
    doubt: { fits: 4, present: 5 },
    others: [{ name: 'c', type: 'integer', ...optional }],
  })
})

test('lists and objects are JSON, and what stands beside them', async () => {
  expect(await inferTyped([[1], { a: null }])).toEqual({ name: 'c', type: 'json' })
  expect(await inferTyped([[1], 'a', undefined])).toEqual({
    name: 'c',
    type: 'json',
    optional: true,
  })
  const inference = new FieldInference({ isTyped: true })
  const text = '{"c":{"id":1546130668394913822}}\n'
  for await (const batch of readRows(new Blob([text]), { format: 'ndjson' })) inference.add(batch)
  expect((await inference.infer())[0]).toMatchObject({
    leftOut: expect.stringContaining('write it as a string') as string,
  })
})

test('values that a type would write differently stay text', async () => {
  const texts = [
    '007',
    '1.50',
    '+5',
    '+44 20 7946',
    '555-1234',
    '1,000',
    '50%',
    '-0',
    ' 5',
    '9007199254740993',
    'NaN',
    'TRUE',
    'yes',
    '',
  ]
  const moments = ['2026/11/22', '2026-02-30', '2026-11-22 15:04', '2026-11-22T15:04:05+01:00']
  for (const text of [...texts, ...moments]) {
    expect(await typed(text), text).toMatchObject({ type: 'string' })
  }
  for (const values of [['5', 'x'], ['1', 'true'], ['2026-11-22', '5'], [undefined]]) {
    expect(await typed(...values)).toMatchObject({ type: 'string' })
  }
})

test('a column that nearly all values fit a type of is text, and says which do not', async () => {
  const numbers = Array.from({ length: 200 }, (_, index) => `${index / 4}`)
  const heavy = await inferDoubt(numbers.with(136, 'heavy'))
  expect(heavy.field).toEqual({ name: 'c', type: 'string', length: 10 })
  expect(heavy.others).toEqual([{ name: 'c', type: 'number' }])
  expect(heavy.doubt).toEqual({
    type: 'number',
    fits: 199,
    present: 200,
    misfits: [{ line: 138, text: 'heavy' }],
  })
  // Twenty at the beginning are outweighed by what follows.
  const unknown = [...Array.from({ length: 20 }, () => 'n/a'), ...numbers]
  expect((await inferDoubt(unknown)).doubt).toMatchObject({
    fits: 200,
    present: 220,
    misfits: [{ line: 2 }, { line: 3 }, { line: 4 }],
  })
  expect((await inferDoubt(['true', 'false', 'true', 'true', 'maybe'])).doubt?.type).toBe('boolean')
  expect((await inferDoubt(['5', '6', '7', '8', 'x', undefined])).others).toEqual([
    { name: 'c', type: 'integer', optional: true },
  ])
})

test('nothing is doubtful where a value means something else by the way it is written', async () => {
  const codes = Array.from({ length: 50 }, (_, index) => String(10_000 + index))
  for (const values of [
    [...codes, '01067'],
    [...codes, '1.50'],
    ['1', '2', 'x'],
    codes,
    codes.map((code) => `n${code}`),
  ]) {
    expect((await inferDoubt(values)).doubt, values.at(-1)).toBeUndefined()
  }
})

test('bytes become a binary with the media type that they all have', async () => {
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1)
  const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 1)
  const typeOf = async (...values: unknown[]) => {
    const inference = new FieldInference()
    const rows = values.map((value, index) => ({ line: index + 1, values: [value] }))
    inference.add({ columns: ['image'], rows, bytes: 0 })
    return (await inference.infer())[0]?.field
  }
  expect(await typeOf(png, png)).toEqual({ name: 'image', type: 'binary', mime: 'image/png' })
  expect(await typeOf(png, jpeg)).toMatchObject({ mime: 'image/*' })
  expect(await typeOf(png, Uint8Array.of(1))).toMatchObject({ mime: 'application/octet-stream' })
})

test('columns get names that fields may have, each another', async () => {
  const names = ['title', 'Año', '2024', '!', 'x'.repeat(90)]
  const nameField = await prepareFieldNames(names)
  expect(names.map(nameField)).toEqual(['title', 'Ano', 'column_2024', 'column', 'x'.repeat(63)])
  const { columns } = await infer('a b,a-b,a_b\n1,2,3\n', 'csv')
  expect(columns.map(({ field }) => field?.name)).toEqual(['a_b', 'a_b_2', 'a_b_3'])
})

test('letters of all scripts become letters of a name, each another', async () => {
  const { columns } = await infer(
    'Größe (cm),Grosse cm,日本,日本人,名前,Имя,العمر,😀\n1,2,3,4,5,6,7,8\n',
    'csv',
  )
  expect(columns.map(({ field }) => field?.name)).toEqual([
    'Grosse_cm',
    'Grosse_cm_2',
    'RiBen',
    'RiBenRen',
    'MingQian',
    'Imya',
    'l_mr',
    'grinning',
  ])
})

test('rows that cannot be read are counted and not looked at', async () => {
  const inference = await infer('a,b\n1,2\n1,2,3\n4,5\n', 'csv')
  expect([inference.rows, inference.unreadable]).toEqual([3, 1])
  expect(inference.columns.map(({ missing }) => missing)).toEqual([0, 0])
})
