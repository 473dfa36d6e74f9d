import { checkParsed } from '@vitrine/client/yaml'
import { type SchemaField, checkRepoDescription } from '@vitrine/contract'
import { describeRows } from '@vitrine/rows/describe/describe-rows'
import { type InferredColumn, FieldInference } from '@vitrine/rows/describe/infer-fields'
import { expect, test } from 'vitest'
import { describeFiles } from '../src/describe/from-data/described-data.ts'
import { fieldTypes, typeChange } from '../src/describe/from-data/ColumnTypes.tsx'

async function describe(fileName: string, columns: readonly string[], values: readonly unknown[]) {
  const inference = new FieldInference()
  inference.add({ columns, rows: [{ line: 2, values }], bytes: 0 })
  const { rows, unreadable } = inference
  return describeRows(fileName, {
    rows,
    unreadable,
    columns: await inference.infer(),
    counts: 'line',
  })
}

test('a description of rows says what was found, and is one that can be submitted', async () => {
  const text = await describe(
    'Städte 2026.csv',
    ['id', 'Name', 'note', 'tags'],
    [1, 'Rom', null, []],
  )
  expect(text).toBe(`---
name: Stadte-2026
# From 1 row of Städte 2026.csv
schema:
  # id is left out: an import gives its own
  - { name: Name, type: string, length: 10 } # at most 3 characters
  - { name: note, type: string, length: 10, optional: true } # at most 0 characters, absent in 1 row
  # tags is left out: it has lists or objects, which no field takes
`)
  expect(checkParsed(text, checkRepoDescription).ok).toBe(true)
})

test('rows that an import would refuse are counted', async () => {
  const inference = new FieldInference()
  const problem = 'has 2 cells, and the first line has 3'
  const rows = [
    { line: 2, values: ['1'] },
    ...[3, 4].map((line) => ({ line, values: [], problem })),
  ]
  inference.add({ columns: ['a'], rows, bytes: 0 })
  const columns = await inference.infer()
  const text = describeRows('a.csv', { rows: 3, unreadable: 2, columns, counts: 'line' })
  expect(text).toContain('# From 3 rows of a.csv; 2 rows cannot be read\n')
})

test('a packed file gives its name without the endings', () => {
  const text = describeRows('cities.csv.gz', {
    rows: 0,
    unreadable: 0,
    columns: [],
    counts: 'line',
  })
  expect(text).toContain('name: cities\n')
})

test('no name of a file or a column breaks the description', async () => {
  const columns = ['null', 'a\nb: c', '"', '#', '- x', 'true', '*', 'é\u2028f', '😀', '']
  for (const fileName of ['null.csv', '2026.csv', '#\n- x.csv', '.csv', '日本.csv', 'true']) {
    const text = await describe(fileName, columns, columns)
    const checked = checkParsed(text, checkRepoDescription)
    expect(checked, text).toMatchObject({ ok: true })
    if (checked.ok) expect(checked.value.schema).toHaveLength(columns.length)
  }
})

test('files become a binary field with the type that they have in common, and a name', async () => {
  const file = (path: string, type: string) => ({ path, file: new File([''], path, { type }) })
  const text = await describeFiles([
    file('birds/wren.png', 'image/png'),
    file('birds/robin.jpg', 'image/jpeg'),
  ])
  expect(checkParsed(text, checkRepoDescription)).toEqual({
    ok: true,
    value: {
      name: 'birds',
      schema: [
        { name: 'name', type: 'string', length: 10 },
        { name: 'image', type: 'binary', mime: 'image/*' },
      ],
    },
  })
})

test('a folder of images is named after itself, whatever else lies in it', async () => {
  const file = (path: string, type: string) => ({ path, file: new File([''], path, { type }) })
  const png = file('moths/garden/a.png', 'image/png')
  expect(await describeFiles([png, file('moths/README.txt', 'text/plain'), file('moths/x', '')]))
    .toBe(`---
name: moths
# From 1 image; 2 other files would be refused
schema:
  - { name: name, type: string, length: 10 }
  - { name: image, type: binary, mime: image/png }
`)
})

test('files that have no type in common are octets', async () => {
  const file = (path: string, type: string) => ({ path, file: new File([''], path, { type }) })
  for (const types of [['text/csv', 'application/pdf'], ['']]) {
    const text = await describeFiles(types.map((type, index) => file(`${index}`, type)))
    expect(text).toContain('name: images\n')
    expect(text).toContain('{ name: file, type: binary, mime: application/octet-stream }')
    expect(checkParsed(text, checkRepoDescription).ok).toBe(true)
  }
})

test('a doubtful column says in the description what makes it text', async () => {
  const columns = [
    {
      column: 'weight',
      longest: 5,
      missing: 0,
      field: { name: 'weight', type: 'string', length: 10 },
      doubt: {
        type: 'number',
        fits: 1198,
        present: 1200,
        misfits: [{ line: 1138, text: 'heavy\n' }],
      },
    },
  ] satisfies InferredColumn[]
  expect(describeRows('a.csv', { rows: 1200, unreadable: 0, columns, counts: 'line' })).toContain(
    '# at most 5 characters, 1,198 of 1,200 are numbers; line 1,138: heavy, and 1 more\n',
  )
})

test('another type is written in the place of the field alone', () => {
  const text = `---
name: goods
schema:
  - name: weight # as weighed
    type: string
    length: 10
    optional: true
  - { name: label, type: string, length: 20 } # at most 12 characters
`
  expect([...fieldTypes(text)]).toEqual([
    ['weight', 'string'],
    ['label', 'string'],
  ])
  const apply = (before: string, field: SchemaField) => {
    const { from, to, insert } = typeChange(before, field)!
    return before.slice(0, from) + insert + before.slice(to)
  }
  const number = apply(text, { name: 'weight', type: 'number' })
  expect(number).toContain('  - { name: weight, type: number, optional: true }')
  expect(number).toContain('  - { name: label, type: string, length: 20 } # at most 12 characters')
  expect(apply(number, { name: 'weight', type: 'string', length: 10 })).toContain(
    '  - { name: weight, type: string, length: 10, optional: true }',
  )
  expect(typeChange(text, { name: 'other', type: 'date' })).toBeUndefined()
  expect(typeChange('schema: [', { name: 'other', type: 'date' })).toBeUndefined()
})
