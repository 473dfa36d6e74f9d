// @module-tag whole
// @module-tag imports

import type { ImportFormat, ImportState, Refusal } from '@vitrine/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isWholeRun } from '../../contract/test/extent.ts'
import { refusal, startPhotoServer, type PhotoServer } from './photos.ts'
import { times } from './times.ts'
import { wholeImport } from './whole-import.ts'

let server: PhotoServer
const datasetId = 'notes'

beforeAll(async () => {
  server = await startPhotoServer()
  await server.client.repoCreate({
    body: {
      name: datasetId,
      schema: [
        { name: 'title', type: 'string', length: 5 },
        { name: 'by', type: 'reference', target: 'people' },
      ],
    },
  })
})

afterAll(() => server.close())

type Options = Partial<Parameters<PhotoServer['client']['importBegin']>[0]>

const importRows = (
  format: ImportFormat,
  body: BodyInit,
  options: Options = {},
): Promise<ImportState> => wholeImport(server.client, { datasetId, format, ...options, body })

const count = async () => (await server.client.datasetCount({ datasetId })).totalItems

async function report(importKey: string): Promise<Refusal[]> {
  const blob = await server.client.importReport({ datasetId, importKey })
  const lines = (await blob.text()).split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Refusal)
}

const mib = 1024 ** 2
/** Bytes of a row that is far too long; one may have 16 MiB. */
const farTooLong = mib * times('TOO_LONG_MIB', { first: 18, whole: 100 })
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const row = '{"title":"A","by":1}\n'
/** Bytes of one line that are of no field. */
const withJunk = (bytes: number) => {
  const [before, after] = ['{"title":"A","by":1,"junk":"', '"}\n']
  return `${before}${'x'.repeat(bytes - before.length - after.length)}${after}`
}

type Case = [what: string, format: ImportFormat, body: BodyInit, reason: RegExp, options?: Options]

const skip = { mode: 'skip' } as const

/** The last ones fail with `mode=skip` too, as nothing after them could be read. */
const cases: Case[] = [
  ['rows that are cut off', 'ndjson', `${row}{"tit`, /^row 2: line 2 is not valid JSON$/],
  ['a row that is no object', 'ndjson', `${row}[]\n`, /^row 2: line 2 is not a JSON object$/],
  [
    'a key twice',
    'ndjson',
    `${row}{"title":"A","title" : "B","by":1}\n`,
    /^row 2: .* same key twice/,
  ],
  ['a row of another width', 'csv', 'title,by\nA,1\nB,1,x\n', /^row 2: line 3 has 3 cells/],
  ['a row that is cut off', 'csv', 'title,by\nA,1\nB', /^row 2: line 3 has 1 cell/],
  ['a row of another width', 'tsv', 'title\tby\nA\t1\nB 1\n', /^row 2: line 3 has 1 cell/],
  ['an unknown column', 'csv', 'title,bye,by\n', /^columns.bye: .* did you mean "by"/],
  ['a column twice', 'csv', 'title,by,by\n', /^columns.by_2: .*column 3 is called "by"/],
  [
    'a value and a lookup',
    'tsv',
    'title\tby\tby.lookup.name\n',
    /^columns.by.lookup.name: .* twice/,
  ],
  ['a column that is missing', 'csv', 'title\nA\n', /^columns.by: there is no column for "by"/],
  ['nothing at all', 'csv', '', /^there is no line of names/],
  ['an open quote in the first line', 'csv', 'title,"by\n', /^the first line .* does not end/],
  ['a first line in Latin-1', 'tsv', latin1('title\tby\xe9\n'), /^the first line is not .*UTF-8/],
  ['a first line of 17 MB', 'csv', `title,${'x'.repeat(17 * mib)}\n`, /^the first .* 16 MiB$/],
  ['UTF-16', 'ndjson', utf16(`\ufeff${row}`), /UTF-16: say so by its encoding, utf-16le/],
  ['UTF-16 without a mark', 'csv', utf16('title,by\nA,1\n'), /UTF-16: say so/],
  ['UTF-16, the other way round', 'tsv', utf16('title\tby\n').swap16(), /UTF-16: say so/],
  ['gzip', 'ndjson', Buffer.from('1f8b0800', 'hex'), /unexpected end of file/],
  ['a zip archive', 'csv', 'PK\x03\x04', /is a zip archive or a workbook: say so by its format/],
  ['an Arrow file', 'csv', 'ARROW1\0\0', /is an Arrow file: save it as Parquet/],
  ['a PDF', 'tsv', '%PDF-1.7\n', /is a PDF, which has no rows/],
  ['a PDF', 'xlsx', '%PDF-1.7\n', /is a PDF, which has no rows/],
  ['an old workbook', 'csv', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /before 2007 .* as .xlsx/],
  ['an old workbook', 'xlsx', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /before 2007 .* as .xlsx/],
  ['text', 'xlsx', 'title,by\nA,1\n', /^is no workbook/],
  [
    'cells parted by semicolons',
    'csv',
    'title;by\nA;1\n',
    /^columns.*parted by semicolons: say so/,
  ],
  ['cells parted by commas', 'tsv', 'title,by\nA,1\n', /^columns.*parted by commas/],
  [
    'a number that is none',
    'ndjson',
    '{"title":"A","by":NaN}\n',
    /not valid JSON, .* NaN .* null$/,
  ],
  ['infinity', 'json', '[{"title":"A","by":-Infinity}]\n', /no Infinity: write null$/],
  ['an object of Python', 'ndjson', `{'title': None}\n`, /json.dumps$/],
  ['NaN in a text', 'ndjson', '{"title":"NaN",}\n', /is not valid JSON$/],
  [
    'a row in Latin-1',
    'ndjson',
    latin1(`${row}{"title":"\xff"}\n`),
    /^row 2: line 2 .*UTF-8/,
    skip,
  ],
  ['a row in Latin-1', 'csv', latin1('title,by\nA,1\n\xff,1\n'), /^row 2: line 3 .*UTF-8/, skip],
  ['an open quote', 'csv', 'title,by\nA,1\n"B,1\n', /^row 2: line 3 .* does not end/, skip],
  ['a stray quote', 'tsv', 'title\tby\nA\t1\nB"x\t1\n', /^row 2: line 3 .* does not begin/, skip],
  ['more after a quote', 'csv', 'title,by\n"A"x,1\n', /^row 1: line 2 has something between/, skip],
  [
    'a row that is far too long',
    'ndjson',
    row + withJunk(farTooLong),
    /^row 2: line 2 is longer than 16 MiB$/,
    skip,
  ],
  [
    'a cell that is far too long',
    'csv',
    `title,by\n"${'é\n'.repeat(farTooLong / 3)}",1`,
    /^row 1: line 2 .* 16 MiB/,
    skip,
  ],
]

describe('a file that cannot be read', () => {
  test.each(cases)('%s (%s) is refused with the place and the reason', async (...given) => {
    const [, format, body, reason, options] = given
    const before = await count()
    const refused = await refusal(importRows(format, body, options))
    expect(refused).toMatchObject({ status: 422, code: 'IMPORT_MALFORMED' })
    expect((refused as { problems: string[] }).problems[0]).toMatch(reason)
    expect(await count()).toBe(before)
  })

  test.each<[ImportFormat, body: string, at: object]>([
    ['csv', 'title,by\nA,1\nB\nC,1\n', { line: 3, reason: 'has 1 cell, and the first line has 2' }],
    ['ndjson', `${row}{"title\n${row}`, { line: 2, reason: 'is not valid JSON' }],
    ['ndjson', `${row}{"by":1,"by":2}\n${row}`, { line: 2, reason: 'has the same key twice' }],
  ])('is imported without a malformed row of %s when it is to be skipped', async (...given) => {
    const [format, body, at] = given
    const before = await count()
    const { key, ...state } = await importRows(format, body, skip)
    expect(state).toMatchObject({ state: 'done', rows: 3, refusedRows: 1, publishedRows: 2 })
    expect(await count()).toBe(before + 2)
    expect(await report(key)).toEqual([{ row: 2, field: null, value: null, ...at }])
  })
})

test('two keys that are the same column refuse the row', async () => {
  const body = '{"title":"A","Name":"B","by":1}\n{"title":"A","by":1,"by.lookup.name":"Ada"}\n'
  const refused = await refusal(importRows('ndjson', body, { columns: { Name: 'title' } }))
  expect(refused).toEqual({
    status: 422,
    code: 'IMPORT_REFUSED',
    problems: ['row 1, title: is there twice', 'row 2, by: is there twice'],
  })
})

describe('a row may have 16 MiB', () => {
  const columns = { junk: null }

  // The parts that a file is kept in, and the chunks that it is read in, end elsewhere in each.
  const starts = isWholeRun ? [100, 70_000, 600_000, 9 * mib] : [70_000]
  test.each(starts)('wherever it begins: at byte %i', async (start) => {
    const before = await count()
    const first = withJunk(start)
    const longest = withJunk(16 * mib)
    const state = await importRows('ndjson', first + longest + row, { columns })
    expect(state).toMatchObject({ state: 'done', publishedRows: 3 })
    const longer = longest.replace('x', 'xx')
    expect(await refusal(importRows('ndjson', first + longer + row, { columns }))).toMatchObject({
      code: 'IMPORT_MALFORMED',
      problems: ['row 2: line 2 is longer than 16 MiB'],
    })
    expect(await count()).toBe(before + 3)
  })
})
