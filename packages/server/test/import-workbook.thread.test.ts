import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@vitrine/client'
import type { SchemaField } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { workbook } from './sample-workbook.ts'
import { startTestServer, type TestServer } from './server.ts'
import { wholeImport } from './whole-import.ts'

let server: TestServer

const text = (name: string): SchemaField => ({ name, type: 'string', length: 200, optional: true })

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const fixture = (name: string) =>
  readFile(join(import.meta.dirname, '../../rows/test/files', name)) as Promise<Buffer<ArrayBuffer>>

type Input = Omit<Parameters<Client['importBegin']>[0], 'datasetId' | 'format'>

/** Imports a workbook into a new repository. */
async function imported(name: string, schema: readonly SchemaField[], input: Input) {
  await server.client.repoCreate({ body: { name, schema: [...schema] } })
  const state = await wholeImport(server.client, { datasetId: name, format: 'xlsx', ...input })
  const items = await server.client.datasetItemList({ datasetId: name, pageSize: 100 })
  return { notes: state.notes, rows: items.map(({ data }) => data) }
}

test('texts take what cells show, and other types their values', async () => {
  const optional = true
  const { rows, notes } = await imported(
    'objects',
    [
      { name: 'inventory', type: 'integer' },
      text('postcode'),
      { name: 'count', type: 'integer', optional },
      { name: 'price', type: 'number', optional },
      { name: 'share', type: 'number', optional },
      { name: 'found', type: 'date', optional },
      { name: 'moment', type: 'timestamp', optional },
      { name: 'loan', type: 'boolean', optional },
      text('note'),
    ],
    { skip: 2, body: await fixture('xlsxwriter.xlsx') },
  )
  expect(rows).toEqual([
    {
      inventory: 1,
      postcode: '00501',
      count: 3,
      price: 1234.5,
      share: 0.125,
      found: '1900-01-31',
      moment: '2026-11-26T08:30:15Z',
      loan: true,
      note: 'plain',
    },
    {
      inventory: 12345678901234,
      postcode: '99501',
      count: -2,
      price: 0.3,
      share: 1,
      found: '2024-02-29',
      moment: '2026-01-01T00:00:00Z',
      loan: false,
      note: 'two\nlines',
    },
    {
      inventory: 3,
      postcode: '00007',
      count: 0,
      price: 2,
      share: 0.5,
      found: '9999-12-31',
      moment: '1999-12-31T23:59:59.5Z',
      loan: true,
      note: '_x0041_ & <b>',
    },
    { inventory: 4, note: 'merged' },
    { inventory: 5 },
  ])
  expect(notes).toEqual([
    'The rows are those of the sheet "Objects". There are also "Empty", "Hidden".',
    'The sheet has 1 merged area: only the first cell of each has a value.',
    'The sheet has 1 hidden row and 1 hidden column, taken like the others.',
  ])
})

test('texts of numbers, dates and truth values', async () => {
  const names = ['inventory', 'price', 'share', 'found', 'moment', 'loan']
  const { rows } = await imported('shown', names.map(text), {
    skip: 2,
    columns: { postcode: null, count: null, note: null },
    body: await fixture('xlsxwriter.xlsx'),
  })
  expect(rows.slice(0, 2)).toEqual([
    {
      inventory: '1',
      price: '1,234.50 EUR',
      share: '12.5%',
      found: '1900-01-31',
      moment: '2026-11-26 08:30:15',
      loan: 'TRUE',
    },
    {
      inventory: '12345678901234',
      price: '0.30 EUR',
      share: '100.0%',
      found: '2024-02-29',
      moment: '2026-01-01 00:00:00',
      loan: 'FALSE',
    },
  ])
})

test.each<[what: string, file: string, schema: SchemaField[], rows: object[]]>([
  [
    'results of formulas, which may be errors',
    'formulas.xlsx',
    [{ name: 'a', type: 'integer' }, { name: 'sum', type: 'integer' }, text('text'), text('error')],
    [{ a: 1, sum: 2, text: 'x1', error: '#DIV/0!' }],
  ],
  [
    'days counted from 1904',
    'epoch-1904.xlsx',
    [
      { name: 'day', type: 'date' },
      { name: 'at', type: 'timestamp' },
    ],
    [{ day: '2024-02-29', at: '2024-02-29T12:00:00Z' }],
  ],
  [
    'days before 1900',
    'openpyxl.xlsx',
    [{ name: 'day', type: 'date' }],
    [{ day: '1815-12-10' }, { day: '1900-03-01' }],
  ],
  [
    'what pandas writes',
    'pandas.xlsx',
    [
      text('name'),
      { name: 'born', type: 'date' },
      { name: 'score', type: 'number', optional: true },
      { name: 'ok', type: 'boolean' },
    ],
    [
      { name: 'Ada', born: '1915-12-10', score: 1.5, ok: true },
      { name: 'Björk', born: '1965-11-21', ok: false },
      { born: '2000-01-01', score: 3, ok: true },
    ],
  ],
  [
    'what other generators write',
    'other-generator.xlsx',
    [text('name'), { name: 'day', type: 'date' }],
    [{ name: 'a<b\r', day: '2024-02-29' }],
  ],
])('%s', async (_what, file, schema, rows) => {
  const columns: Record<string, string> = file === 'other-generator.xlsx' ? { 'name ': 'name' } : {}
  const input = { columns, body: await fixture(file) }
  expect((await imported(file.replace('.xlsx', ''), schema, input)).rows).toEqual(rows)
})

test('a sheet is named, its case aside', async () => {
  const sheet = (name: string, id: string) => `<sheet name="${name}" sheetId="1" r:id="${id}"/>`
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const body = await workbook('<row><c t="str"><v>a</v></c></row>', {
    'xl/workbook.xml': `<workbook xmlns:r="${office}"><sheets>${sheet('Erste', 'z')}${sheet('Köln', 'b')}</sheets></workbook>`,
  })
  await server.client.repoCreate({ body: { name: 'sheets', schema: [text('a')] } })
  const named = (name: string) =>
    wholeImport(server.client, { datasetId: 'sheets', format: 'xlsx', sheet: name, body })
  expect(await named('KO\u0308LN')).toMatchObject({ state: 'done', rows: 0 })
  await expect(named('Bonn')).rejects.toMatchObject({
    code: 'IMPORT_MALFORMED',
    problems: [expect.stringContaining('has no sheet "Bonn"; there is "Köln"')],
  })
})

test('a refused row has the number that the sheet gives it', async () => {
  const cell = (at: string, value: string) => `<c r="${at}" t="str"><v>${value}</v></c>`
  const body = await workbook(
    `<row r="2">${cell('B2', 'n')}${cell('C2', 'm')}</row><row r="9">${cell('B9', '1')}</row>
     <row r="12">${cell('B12', 'x')}</row><row r="13">${cell('B13', '2')}${cell('E13', 'stray')}</row>
     <row r="14"><c r="B14"><f>A1</f></c></row>`,
  )
  const schema: SchemaField[] = [
    { name: 'n', type: 'integer', optional: true },
    { name: 'm', type: 'integer', optional: true },
  ]
  await server.client.repoCreate({ body: { name: 'numbered', schema } })
  const begun = { datasetId: 'numbered', format: 'xlsx', mode: 'skip', key: 'k', body } as const
  expect(await wholeImport(server.client, begun)).toMatchObject({ rows: 4, refusedRows: 3 })
  const report = await server.request('/api/repo/numbered/import/k/report?format=csv', {})
  expect(await report.text()).toBe(
    [
      'row,line,field,reason,value',
      '2,12,n,must be a whole number,x',
      '3,13,,"has a value in column E, which has no name in row 2",',
      '4,14,,"has in B14 a formula without its result: open the workbook in a spreadsheet program, and save it",',
      '',
    ].join('\r\n'),
  )
})

const row = (cells: string) => `<row r="1"><c t="str"><v>a</v></c></row>${cells}`
/** Each is of 16,384 columns, of which one has a value. */
const wide = Array.from({ length: 2000 }, (_, at) => {
  return `<row><c r="XFD${at + 2}" t="b"><v>1</v></c></row>`
}).join('')
const many = 'x'.repeat(17 * 1024 ** 2)

test.each<[what: string, body: () => Promise<Buffer<ArrayBuffer>>, reason: string]>([
  ['no zip archive', async () => Buffer.from('a,b\n1,2\n'), 'is no workbook (.xlsx)'],
  [
    'cut off',
    async () => (await fixture('pandas.xlsx')).subarray(0, 3000),
    'is a damaged workbook',
  ],
  ['no row', () => workbook(''), 'has no row of names in its sheet "One"'],
  [
    'another archive',
    () => workbook('', { '_rels/.rels': '<Relationships/>' }),
    'is a zip archive, and no workbook',
  ],
  ['an unclosed sheet', () => workbook('</sheetData><row>'), 'is a damaged workbook: '],
  [
    'an entity',
    () => workbook(row('<row><c t="str"><v>&bomb;</v></c></row>')),
    'is a damaged workbook: ',
  ],
  ['a row twice', () => workbook(row('<row r="1"/>')), 'row 1 stands after row 1'],
  [
    'a row beyond the last',
    () => workbook(row('<row r="1048577"/>')),
    'row 1048577 stands after row 1',
  ],
  [
    'a cell that stands out of its place',
    () => workbook(row('<row><c r="B2"/><c r="A2"/></row>')),
    'cell A2 of row 2 is out of its place',
  ],
  [
    'a text that is not there',
    () => workbook(row('<row><c t="s"><v>7</v></c></row>')),
    'it has no text 7',
  ],
  [
    'a sheet that unpacks too far',
    () => workbook(row(`<x y="${'z'.repeat(1024 ** 2)}"/>`.repeat(65))),
    'unpacks to more than 200 times its size',
  ],
  [
    'rows that are much wider than their cells',
    () => workbook(`<row><c t="str"><v>a</v></c><c r="XFD1" t="str"><v>z</v></c></row>${wide}`),
    'unpacks to more than 200 times its size',
  ],
  [
    'a text that is too long',
    () => workbook(row(`<row><c t="str"><v>${many}</v></c></row>`)),
    'is a damaged workbook: a text in it is too long',
  ],
])('%s is refused, and nothing is added', async (what, body, reason) => {
  const name = what.replaceAll(' ', '-')
  await server.client.repoCreate({ body: { name, schema: [text('a')] } })
  const input = { datasetId: name, format: 'xlsx', body: await body() } as const
  await expect(wholeImport(server.client, input)).rejects.toMatchObject({
    code: 'IMPORT_MALFORMED',
    problems: [expect.stringContaining(reason)],
  })
})

test('cells that share a long text are refused by their row', async () => {
  const shared = '<c t="s"><v>0</v></c>'.repeat(20)
  const names = Array.from({ length: 20 }, (_, at) => `<c t="str"><v>c${at}</v></c>`).join('')
  const body = await workbook(`<row>${names}</row><row>${shared}</row>`, {
    'xl/sharedStrings.xml': `<sst><si><t>${'y'.repeat(1024 ** 2)}</t></si></sst>`,
  })
  const schema = Array.from({ length: 20 }, (_, at) => text(`c${at}`))
  await server.client.repoCreate({ body: { name: 'wide', schema } })
  const input = { datasetId: 'wide', format: 'xlsx', body } as const
  await expect(wholeImport(server.client, input)).rejects.toMatchObject({
    problems: [expect.stringContaining('is longer than 16 MiB')],
  })
})
