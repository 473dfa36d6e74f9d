import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { type Installation, openInstallation } from './installation.ts'

let here: Installation

beforeAll(async () => {
  here = await openInstallation()
  await here.login()
})
afterAll(() => here.close())

const dataOf = async (name: string) =>
  (await here.json<{ data: unknown }>(['ls', name])).map(({ data }) => data)
const schemaOf = async (name: string) =>
  (await here.client().datasetGet({ datasetId: name })).schema
const names = async () => (await here.client().datasetList({})).map(({ name }) => name)

test('--create makes the repository from the file, shows it, and imports the rows', async () => {
  const file = here.write('Städte.csv', 'Full Name;code;id\nNukuʻalofa;TO;7\nLevin;;8\n')
  const words = ['import', file, '--create', '--yes']
  const { code, stdout, stderr } = await here.run(words)
  expect(stderr).toBe(`---
name: Stadte
# From 2 rows of Städte.csv
schema:
  - { name: Full_Name, type: string, length: 20 } # from Full Name, at most 10 characters
  - { name: code, type: string, length: 10, optional: true } # at most 2 characters, absent in 1 row
  # id is left out: an import gives its own
Created the repository Stadte.
`)
  expect(stdout).toBe('Added 2 items to Stadte.\n')
  expect(code).toBe(0)
  expect(await dataOf('Stadte')).toEqual([
    { Full_Name: 'Nukuʻalofa', code: 'TO' },
    { Full_Name: 'Levin' },
  ])
  const again = await here.run(words)
  expect(again.stderr).toContain('The repository Stadte is there already, with these fields.\n')
  expect(again.stdout).toContain('already: nothing was added.')
  expect(again.code).toBe(0)
  expect(await dataOf('Stadte')).toHaveLength(2)
})

test.for([
  ['a.tsv', 'k\tv\na\tb\n'],
  ['b.ndjson', '{"k":"a","v":"b"}\n'],
  ['c.csv.gz', gzipSync('k,v\na,b\n')],
  ['d.jsonl.gz', gzipSync('{"k":"a","v":"b"}\n')],
  ['f.json', '[\n  {"k": "a", "v": "b"}\n]\n'],
  ['g.json.gz', gzipSync('[{"k":"a","v":"b"}]')],
  [
    'e.parquet',
    Buffer.from(
      parquetWriteBuffer({
        columnData: [
          { name: 'k', data: ['a'], type: 'STRING' },
          { name: 'v', data: ['b'], type: 'STRING' },
        ],
      }),
    ),
  ],
] as [string, string | Buffer][])('%s becomes a repository', async ([name, content]) => {
  const { code } = await here.run(['import', here.write(name, content), '--create', '--yes'])
  expect(code).toBe(0)
  expect(await dataOf(name[0]!)).toEqual([{ k: 'a', v: 'b' }])
})

test.for([
  ['typed.csv', 'n,x,b,d,t,zip\n5,1.5,true,2026-11-22,2026-11-22T15:04:05Z,01234\n'],
  [
    'typed.ndjson',
    '{"n":5,"x":1.5,"b":true,"d":"2026-11-22","t":"2026-11-22T15:04:05Z","zip":"01234"}\n',
  ],
  [
    'typed.parquet',
    Buffer.from(
      parquetWriteBuffer({
        columnData: [
          { name: 'n', data: [5n], type: 'INT64' },
          { name: 'x', data: [1.5], type: 'DOUBLE' },
          { name: 'b', data: [true], type: 'BOOLEAN' },
          { name: 'd', data: ['2026-11-22'], type: 'STRING' },
          { name: 't', data: [new Date('2026-11-22T15:04:05Z')], type: 'TIMESTAMP' },
          { name: 'zip', data: ['01234'], type: 'STRING' },
        ],
      }),
    ),
  ],
] as [string, string | Buffer][])(
  'columns of %s get the types that keep them',
  async ([file, content]) => {
    const name = file.replace('.', '-')
    const words = ['import', here.write(file, content), '--create', '--yes', '--name', name]
    expect(await here.run(words)).toMatchObject({ code: 0 })
    expect((await schemaOf(name)).map(({ type }) => type)).toEqual([
      'integer',
      'number',
      'boolean',
      'date',
      'timestamp',
      'string',
    ])
    expect(await dataOf(name)).toEqual([
      { n: 5, x: 1.5, b: true, d: '2026-11-22', t: '2026-11-22T15:04:05Z', zip: '01234' },
    ])
  },
)

test('another dialect, rows left out, and JSON', async () => {
  const file = here.write('odd.txt', "k|v\n'a|b'|c\nx\n")
  const words = ['import', file, '--create', '--name', 'odd', '--yes', '--format', 'csv']
  const dialect = ['--delimiter', '|', '--quote', "'"]
  const malformed = await here.run([...words, ...dialect])
  expect(malformed.stderr).toBe(
    'Line 3 has 1 cell, and the first line has 2. Nothing was created. Correct the file, or import the other rows with --skip.\n',
  )
  expect(malformed.code).toBe(6)
  expect(await names()).not.toContain('odd')
  const [state] = await here.json<{ refusedRows: number }>([...words, ...dialect, '--skip'])
  expect(state?.refusedRows).toBe(1)
  expect(await dataOf('odd')).toEqual([{ k: 'a|b', v: 'c' }])
})

test('columns of one name, and without one, become fields of their own', async () => {
  const parquet = parquetWriteBuffer({
    columnData: [
      { name: 'name-a', data: [5n], type: 'INT64' },
      { name: 'name-b', data: ['x'], type: 'STRING' },
    ],
  })
  const twice = Buffer.from(parquet).toString('latin1').replaceAll('name-b', 'name-a')
  const file = here.write('double.parquet', Buffer.from(twice, 'latin1'))
  expect(await here.run(['import', file, '--create', '--yes'])).toMatchObject({ code: 0 })
  expect(await dataOf('double')).toEqual([{ name_a: 5, name_a_2: 'x' }])
  const joined = here.write('joined.csv', ',id,a b,id,a b\n0,7,x,8,y\n')
  const { stderr, code } = await here.run(['import', joined, '--create', '--yes'])
  expect(stderr).toContain('  # id is left out: an import gives its own\n')
  expect(code).toBe(0)
  expect(await dataOf('joined')).toEqual([{ column_1: 0, a_b: 'x', id_2: 8, a_b_2: 'y' }])
})

test('lists and objects become JSON', async () => {
  const nested = join(import.meta.dirname, '../../rows/test/files/nested-polars.parquet')
  expect(await here.run(['import', nested, '--create', '--yes'])).toMatchObject({ code: 0 })
  expect(await dataOf('nested-polars')).toEqual([
    { list: [1, null], struct: { a: 1, b: ['x'] }, array: [1, 2] },
    { list: [], struct: { a: null, b: [] }, array: [3, 4] },
    {},
  ])
  const file = here.write('lists.ndjson', '{"tags":["a",1],"o":{"x":null}}\n{"tags":"b"}\n')
  expect(await here.run(['import', file, '--create', '--yes'])).toMatchObject({ code: 0 })
  expect(await dataOf('lists')).toEqual([{ tags: ['a', 1], o: { x: null } }, { tags: 'b' }])
})

test('a sheet of a workbook becomes a repository', async () => {
  const file = join(import.meta.dirname, '../../rows/test/files/xlsxwriter.xlsx')
  const words = ['import', file, '--create', '--yes', '--skip-lines', '2', '--sheet', 'objects']
  const { stderr, code } = await here.run(words)
  expect(code).toBe(0)
  expect(stderr).toContain(
    '# The sheet has 1 hidden row and 1 hidden column, taken like the others.',
  )
  expect((await dataOf('xlsxwriter'))[1]).toEqual({
    inventory: 12345678901234,
    postcode: '99501',
    count: -2,
    price: 0.3,
    share: 1,
    found: '2024-02-29',
    moment: '2026-01-01T00:00:00Z',
    loan: false,
    note: 'two\nlines',
  })
  expect(await here.run(['import', file, '--create', '--yes', '--sheet', 'x'])).toMatchObject({
    code: 6,
    stderr:
      'The file has no sheet "x"; there are "Objects", "Empty", "Hidden". Nothing was created.\n',
  })
})

test('columns of every format are for the fields that are named after them', async () => {
  const file = here.write('odd-names.ndjson', '{"a b":1,"id":5,"":"x"}\n')
  expect(await here.run(['import', file, '--create', '--yes'])).toMatchObject({ code: 0 })
  expect(await dataOf('odd-names')).toEqual([{ a_b: 1, column: 'x' }])
})

test('an encoding is named, or agreed to', async () => {
  const latin1 = Buffer.from('name,n\nKöln,5\n', 'latin1')
  const file = here.write('koeln.csv', latin1)
  const words = ['import', file, '--create', '--name']
  const refused = await here.run([...words, 'koeln', '--yes'])
  expect(refused.stderr).toContain('Line 2 is not valid UTF-8: say by its encoding what it is')
  expect(refused.code).toBe(6)
  const named = await here.run([...words, 'koeln', '--yes', '--encoding', 'latin1'])
  expect(named).toMatchObject({ code: 0 })
  const agreed = await here.run([...words, 'koeln-2'], { stdin: 'y\n', isTTY: true })
  expect(agreed.stderr).toContain('# From 1 row of koeln.csv; text in windows-1252\n')
  for (const name of ['koeln', 'koeln-2']) {
    expect(await dataOf(name)).toEqual([{ name: 'Köln', n: 5 }])
  }
  expect(await here.run([...words, 'none', '--yes', '--encoding', 'ebcdic'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--encoding takes a name such as windows-1252') as string,
  })
})

test('every cell in quotes, and the columns are of their types', async () => {
  const file = here.write('quoted.csv', '"n","d","t"\n"5","2026-11-22",""\n"","","x"\n')
  expect(await here.run(['import', file, '--create', '--yes'])).toMatchObject({ code: 0 })
  expect((await schemaOf('quoted')).map(({ type }) => type)).toEqual(['integer', 'date', 'string'])
  expect(await dataOf('quoted')).toEqual([{ n: 5, d: '2026-11-22', t: '' }, { t: 'x' }])
})

test('a new repository whose file is refused is deleted again, an older one stays', async () => {
  // The mapping of so many odd names is longer than an address may be.
  const columns = Array.from({ length: 200 }, (_, at) => `${at} ${'x'.repeat(100)}`)
  const file = here.write(
    'refused.csv',
    `${columns.join(',')}\n${columns.map(() => 'v').join(',')}\n`,
  )
  const words = ['import', file, '--create', '--yes']
  const { code, stderr } = await here.run(words)
  expect(stderr).toContain('Created the repository refused.\n')
  expect(stderr).toContain('The repository refused was empty, and is deleted again.\n')
  expect(code).not.toBe(0)
  expect(await names()).not.toContain('refused')
  const description = here.write('refused.yaml', stderr.slice(0, stderr.indexOf('Created')))
  expect(await here.run(['create', '-f', description])).toMatchObject({ code: 0 })
  expect((await here.run(words)).stderr).not.toContain('deleted')
  expect(await names()).toContain('refused')
})

test('on a terminal it asks, and creates nothing unless that is agreed to', async () => {
  const file = here.write('asked.csv', 'k\na\n')
  const words = ['import', file, '--create']
  for (const stdin of ['\n', 'no\n', '']) {
    const { code, stdout, stderr } = await here.run(words, { stdin, isTTY: true })
    expect(stderr).toContain('- { name: k, type: string, length: 10 }')
    expect(stderr).toContain('Create this repository and import the file? [y/N]')
    expect(stderr).toContain('Nothing was created.')
    expect(stdout).toBe('')
    expect(code).toBe(stdin === '' ? 130 : 1)
  }
  expect(await names()).not.toContain('asked')
  expect(await here.run(words, { stdin: 'y\n', isTTY: true })).toMatchObject({ code: 0 })
  expect(await dataOf('asked')).toEqual([{ k: 'a' }])
})

test('another repository of the name stays as it is, and the difference is shown', async () => {
  const description = here.write(
    'd.yaml',
    'name: taken\nschema: [{ name: v, type: string, length: 5 }]',
  )
  await here.run(['create', '-f', description])
  const file = here.write('k.csv', 'k\na\n')
  const { code, stdout, stderr } = await here.run([
    'import',
    file,
    '--create',
    '--yes',
    '--name',
    'taken',
  ])
  expect(stderr).toContain('There is another repository taken already.\n')
  expect(stderr).toContain('  -   - name: v\n')
  expect(stderr).toContain('  +   - name: k\n')
  expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
  expect(await schemaOf('taken')).toMatchObject([{ name: 'v' }])
  expect(await dataOf('taken')).toEqual([])
})

test.for([
  [
    ['k.csv', '--create'],
    2,
    'There is no terminal to ask on: give --yes to create the repository.',
  ],
  [['k.csv', '--create', '--yes', '--name', 'a b'], 2, 'The name of a repository must be 1 to 128'],
  [['-', '--create', '--yes', '--format', 'csv'], 2, '--create reads the file twice'],
  [['a', 'k.csv', '--create', '--yes'], 2, 'With --create name the file alone'],
  [['k.csv', '--create', '--yes', '--columns', '{}'], 2, 'leave out --columns'],
  [['a', 'k.csv', '--yes'], 2, '--yes is for --create and --match.'],
  [['none.csv', '--create', '--yes'], 6, 'none.csv cannot be read: there is no such file.'],
] as [string[], number, string][])('import %j ends with %i', async ([words, code, sentence]) => {
  const ended = await here.run(['import', ...words])
  expect(ended.stderr).toContain(sentence)
  expect(ended).toMatchObject({ code, stdout: '' })
})

test.for([
  ['cut.csv', 'k\n"a\n', 'Line 2 has a cell in quotes that does not end. Nothing was created.\n'],
  ['ids.ndjson', '{"id":5}\n', 'ids.ndjson has no column that could be a field.\n'],
  [
    'rows.zip',
    'PK',
    'An archive needs a repository first: create one with `vitrine create`, then import into it.\n',
  ],
] as const)('%s is no repository', async ([name, content, sentence]) => {
  const { code, stderr } = await here.run([
    'import',
    here.write(name, content),
    '--create',
    '--yes',
    '--name',
    'none',
  ])
  expect(stderr).toBe(sentence)
  expect(code).toBe(6)
  expect(await names()).not.toContain('none')
})
