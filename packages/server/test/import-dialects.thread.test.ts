import type { Client } from '@vitrine/client'
import type { ImportState } from '@vitrine/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'
import { workbook } from './sample-workbook.ts'
import { wholeImport } from './whole-import.ts'

type Options = Partial<Omit<Parameters<Client['importBegin']>[0], 'datasetId'>>

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  const optional = { optional: true }
  const text = (name: string) => ({ name, type: 'string', ...optional })
  const number = { name: 'n', type: 'integer', ...optional }
  const { client } = server
  await client.repoCreate({ body: { name: 'pairs', schema: [text('a'), text('b')] } })
  await client.repoCreate({ body: { name: 'many', schema: [text('a'), text('b')] } })
  await client.repoCreate({ body: { name: 'texts', schema: [text('v')] } })
  await client.repoCreate({ body: { name: 'required', schema: [{ name: 'v', type: 'string' }] } })
  await client.repoCreate({ body: { name: 'numbers', schema: [number] } })
  await client.repoCreate({
    body: { name: 'needed', schema: [{ name: 'n', type: 'integer' }] },
  })
})
afterAll(() => server.close())

const begin = (datasetId: string, body: string, options: Options = {}): Promise<ImportState> =>
  wholeImport(server.client, { datasetId, body, format: 'csv', ...options })

/** The values of the items that an import has added, of each the fields in the order of the schema. */
async function imported(datasetId: string, body: string, options: Options = {}) {
  const { items } = await begin(datasetId, body, options)
  const { from = 0, to = 0 } = items ?? {}
  const all = await server.client.datasetItemList({ datasetId, pageSize: 1000 })
  return all.slice(from, to).map(({ data }) => data)
}

describe('lines end in CR, LF and CRLF, mixed too', () => {
  test.each([
    ['CR', 'a,b\r1,x\r2,y\r'],
    ['CR, the last one left out', 'a,b\r1,x\r2,y'],
    ['all of them', 'a,b\r1,x\r\n2,y\n'],
    ['CR with empty lines', 'a,b\r\r1,x\r\r2,y\r\r'],
  ])('%s', async (_what, body) => {
    expect(await imported('pairs', body)).toEqual([
      { a: '1', b: 'x' },
      { a: '2', b: 'y' },
    ])
  })

  test('but not within quotes', async () => {
    expect(await imported('pairs', 'a,b\r"x\ry","\r\n"\r')).toEqual([{ a: 'x\ry', b: '\r\n' }])
  })

  test('in a file of more lines than a block has', async () => {
    const rows = Array.from({ length: 40_000 }, (_, at) => `${at},"é ${at}"`)
    const { publishedRows } = await begin('many', `a,b\r${rows.join('\r')}\r`)
    expect(publishedRows).toBe(rows.length)
  })

  test('and are counted as lines in reports', async () => {
    const { key } = await begin('needed', 'n\r1\r"2\r"\rx\r', { mode: 'skip' })
    const report = await server.request(`/api/repo/needed/import/${key}/report`)
    expect(JSON.parse(await report.text())).toMatchObject({ row: 3, line: 5, value: 'x' })
  })
})

describe('an empty line of a file of one column is a row', () => {
  test('without a value', async () => {
    expect(await imported('numbers', 'n\n1\n\n3\n')).toEqual([{ n: 1 }, {}, { n: 3 }])
    expect(await imported('texts', 'v\r\nx\r\n\r\n')).toEqual([{ v: 'x' }, {}])
  })

  test('with the empty text, where there has to be one', async () => {
    expect(await imported('required', 'v\nx\n\n')).toEqual([{ v: 'x' }, { v: '' }])
  })

  test('and is refused where a number is required', async () => {
    await expect(begin('needed', 'n\n1\n\n')).rejects.toMatchObject({ code: 'IMPORT_REFUSED' })
  })

  test('and is the same after an export and an import', async () => {
    const path = '/api/dataset/numbers/export?format=csv'
    const exported = await (await server.request(path)).text()
    const names = exported.split('\r\n')[0]!.split(',')
    expect(names.slice(2)).toEqual(['n'])
    const rows = exported.replaceAll(/^[^,]*,[^,]*,/gm, '')
    const before = await server.client.datasetItemList({ datasetId: 'numbers' })
    expect(await imported('numbers', rows)).toEqual(before.map(({ data }) => data))
  })
})

describe('separator lines, preambles and comments are not items', () => {
  test.each<[what: string, body: string, options: Options]>([
    ['the separator', 'sep=;\r\na;b\r\n1,5;x\r\n', {}],
    ['the separator, in quotes after a byte order mark', '\ufeff"sep=;"\na;b\n1,5;x', {}],
    ['a preamble', 'Exported "today\n\na;b\n1,5;x', { skip: 2, delimiter: ';' }],
    ['a preamble and the separator', 'A title\rsep=;\ra;b\r1,5;x', { skip: 1 }],
    ['comments', '# 5" long\na;b\n# c\n1,5;x\n# "end', { comment: '#', delimiter: ';' }],
    ['comments by two characters', '--\na;b\n-- c\n1,5;x', { comment: '--', delimiter: ';' }],
  ])('%s', async (_what, body, options) => {
    expect(await imported('pairs', body, options)).toEqual([{ a: '1,5', b: 'x' }])
  })

  test('a skip of more lines than the file has, or of more than 1000, is refused', async () => {
    await expect(begin('pairs', 'a,b\n', { skip: 2 })).rejects.toMatchObject({
      problems: [expect.stringContaining('no more lines')],
    })
    const reply = await server.request('/api/repo/pairs/import?format=csv&skip=1001', {
      method: 'POST',
      body: 'a,b\n',
    })
    expect(reply.status).toBe(400)
  })
})

describe('an empty cell in quotes, or one of spaces', () => {
  const types = [
    ['integer', '5', 5],
    ['number', '1.5', 1.5],
    ['boolean', 'true', true],
    ['date', '2026-11-22', '2026-11-22'],
    ['timestamp', '2026-11-22T15:04:05Z', '2026-11-22T15:04:05Z'],
    ['url', 'https://example.org/', 'https://example.org/'],
    ['json', '[1]', [1]],
  ] as const

  test.each(types)('is a missing %s', async (type, text, value) => {
    const name = `blank-${type}`
    await server.client.repoCreate({
      body: { name, schema: [{ name: 'v', type, optional: true }] },
    })
    for (const format of ['csv', 'tsv'] as const) {
      const body = `"v"\n""\n"${text}"\n" \t"\n`
      expect(await imported(name, body, { format })).toEqual([{}, { v: value }, {}])
    }
  })

  test('is a missing reference, and digest', async () => {
    await server.client.repoCreate({
      body: {
        name: 'blank-reference',
        schema: [
          { name: 't', type: 'string' },
          { name: 'r', type: 'reference', target: 'texts', optional: true },
        ],
      },
    })
    const rows = '"t","t.sha256","r","r.sha256","r.seal"\n"","","","",""\n'
    expect(await imported('blank-reference', rows)).toEqual([{ t: '' }])
    const looked = '"t","r.lookup.v"\n"x",""\n'
    expect(await imported('blank-reference', looked)).toEqual([{ t: 'x' }])
  })

  test('is kept as text in a text field', async () => {
    expect(await imported('pairs', 'a,b\n""," "\n')).toEqual([{ a: '', b: ' ' }])
  })

  test('is refused in a required field, and for a number in NDJSON', async () => {
    const refused = { code: 'IMPORT_REFUSED', message: expect.anything() as unknown }
    await expect(begin('needed', 'n\n""\n')).rejects.toMatchObject(refused)
    const text = '{"n":""}\n'
    await expect(begin('numbers', text, { format: 'ndjson' })).rejects.toMatchObject(refused)
  })
})

describe('a column with a duplicate or empty name', () => {
  test('is numbered', async () => {
    const text = (name: string) => ({ name, type: 'string', optional: true })
    const names = ['n', 'n_2', 'column_3', 'column_4']
    await server.client.repoCreate({ body: { name: 'named', schema: names.map(text) } })
    const values = { n: '1', n_2: '2', column_3: '3', column_4: '4' }
    expect(await imported('named', 'n,n,,""\n1,2,3,4\n')).toEqual([values])
    expect(await imported('named', 'n\tn\t\t \n1\t2\t3\t4\n', { format: 'tsv' })).toEqual([values])
    const columns = { n: 'n_2', n_2: null, '': 'n', column_4: null }
    expect(await imported('named', 'n,n,,\n1,2,3,4\n', { columns })).toEqual([{ n: '3', n_2: '1' }])
  })

  test('is reported by its position', async () => {
    await expect(begin('texts', 'v,v\n1,2\n')).rejects.toMatchObject({
      code: 'IMPORT_MALFORMED',
      problems: [expect.stringContaining('column 2 is called "v", as another one')],
    })
    await expect(begin('texts', 'v,\n1,2\n')).rejects.toMatchObject({
      problems: [expect.stringContaining('column 2 has no name')],
    })
  })
})

test('quotes can mean nothing', async () => {
  const body = 'a\tb\n"Weird Al\t"Self\nRobert "Bob" D\t\n'
  expect(await imported('pairs', body, { format: 'tsv', quote: 'none' })).toEqual([
    { a: '"Weird Al', b: '"Self' },
    { a: 'Robert "Bob" D' },
  ])
  await expect(begin('pairs', body, { format: 'tsv' })).rejects.toMatchObject({
    code: 'IMPORT_MALFORMED',
  })
})

describe('an unquoted cell equal to the null option has no value', () => {
  test('in text and number fields', async () => {
    const rows = 'a,b\nNA,"NA"\n,NAN\n'
    expect(await imported('pairs', rows, { null: 'NA' })).toEqual([{ b: 'NA' }, { b: 'NAN' }])
    expect(await imported('numbers', 'n\n\\N\n1\n', { format: 'tsv', null: '\\N' })).toEqual([
      {},
      { n: 1 },
    ])
  })

  test('and is refused in a required field', async () => {
    const refused = { code: 'IMPORT_REFUSED' }
    await expect(begin('needed', 'n\nNULL\n', { null: 'NULL' })).rejects.toMatchObject(refused)
    await expect(begin('required', 'v\nNULL\n', { null: 'NULL' })).rejects.toMatchObject(refused)
    expect(await imported('required', 'v\n""\nNULL\n')).toEqual([{ v: '' }, { v: 'NULL' }])
  })

  test('in a workbook by what it shows', async () => {
    const text = (each: string) => `<c t="inlineStr"><is><t>${each}</t></is></c>`
    const body = await workbook(
      `<row>${text('a')}${text('b')}</row><row>${text('n/a')}${text('x')}</row>`,
    )
    const options = { format: 'xlsx', null: 'n/a', body } as const
    expect(await imported('pairs', '', options)).toEqual([{ b: 'x' }])
    const one = await workbook(`<row>${text('v')}</row><row>${text('n/a')}</row>`)
    await expect(begin('required', '', { ...options, body: one })).rejects.toMatchObject({
      code: 'IMPORT_REFUSED',
    })
  })
})

describe('columns need no names', () => {
  test('but a row', async () => {
    for (const [format, body] of [
      ['csv', '\n\n'],
      ['xlsx', await workbook('')],
    ] as const) {
      await expect(begin('pairs', '', { format, body, header: 'none' })).rejects.toMatchObject({
        problems: [expect.stringMatching(/no row(?! of names)/)],
      })
    }
  })

  const columns = { column_1: 'b', column_2: 'a', column_3: null }

  test('in CSV and TSV', async () => {
    expect(await imported('pairs', '1,x,y\n2,,\n', { header: 'none', columns })).toEqual([
      { a: 'x', b: '1' },
      { b: '2' },
    ])
    const { key } = await begin('numbers', 'about\n1\nx\n', {
      header: 'none',
      skip: 1,
      columns: { column_1: 'n' },
      mode: 'skip',
    })
    const report = await server.request(`/api/repo/numbers/import/${key}/report`)
    expect(JSON.parse(await report.text())).toMatchObject({ row: 2, line: 3, value: 'x' })
    await expect(begin('pairs', '1,x\n', { header: 'none' })).rejects.toMatchObject({
      problems: [expect.stringContaining('column 1 has no name'), expect.anything()],
    })
  })

  test('in a workbook', async () => {
    const cell = (place: string, each: string) =>
      `<c r="${place}" t="inlineStr"><is><t>${each}</t></is></c>`
    const row = (line: number, texts: Record<string, string>) =>
      `<row r="${line}">${Object.entries(texts)
        .map(([letter, each]) => cell(`${letter}${line}`, each))
        .join('')}</row>`
    const body = await workbook(row(2, { B: '1', C: 'x' }) + row(3, { B: '2', D: 'y' }))
    const options = { format: 'xlsx', header: 'none', columns } as const
    expect(await imported('pairs', '', { ...options, body })).toEqual([
      { a: 'x', b: '1' },
      { b: '2' },
    ])
    const wide = Array.from({ length: 20 }, (_, at) => row(at + 1, { A: 'x' })).join('')
    const stray = await workbook(wide + row(21, { A: 'x', C: 'y' }))
    const only = { ...options, columns: { column_1: 'a' }, body: stray }
    await expect(begin('pairs', '', only)).rejects.toMatchObject({
      problems: [expect.stringContaining('line 21 has a value in column C, where the first')],
    })
  })
})

test('a character before quotes, delimiters and line ends can make them text', async () => {
  const spark = 'a,b\n"say \\"hi, there\\"","C:\\temp"\n'
  expect(await imported('pairs', spark, { escape: '\\' })).toEqual([
    { a: 'say "hi, there"', b: 'C:\\temp' },
  ])
  const mysql = 'a\tb\n1\\\t2\tx\\\ny\n\\N\t5" disk\n'
  const options = { format: 'tsv', escape: '\\', quote: 'none', null: '\\N' } as const
  expect(await imported('pairs', mysql, options)).toEqual([
    { a: '1\t2', b: 'x\ny' },
    { b: '5" disk' },
  ])
  expect(await imported('pairs', 'a,b\n"x ""y""",z\n', { escape: '"', quote: '"' })).toEqual([
    { a: 'x "y"', b: 'z' },
  ])
  await expect(begin('pairs', mysql, { escape: ',', delimiter: ',' })).rejects.toMatchObject({
    problems: [expect.stringContaining('delimiter, quote and escape must differ')],
  })
})

test('a character that may be meant so is told', async () => {
  const hint = [expect.stringContaining('if the \\ before it makes it text, say so by the escape')]
  for (const body of ['a,b\n1,"x\\" y"\n', 'a,b\n1,x \\"y\\"\n']) {
    await expect(begin('pairs', body)).rejects.toMatchObject({ problems: hint })
  }
})

test('escaped quotes do not end records in a file of more rows than a block has', async () => {
  const rows = Array.from({ length: 40_000 }, (_, at) => `${at},"é \\" ${at}\n"`)
  const { publishedRows } = await begin('many', `a,b\n${rows.join('\n')}\n`, { escape: '\\' })
  expect(publishedRows).toBe(rows.length)
})

test('spaces around the quotes of a cell mean nothing', async () => {
  expect(await imported('pairs', 'a, "b" \n 1, "x, y" \n')).toEqual([{ a: ' 1', b: 'x, y' }])
})
