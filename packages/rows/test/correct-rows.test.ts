import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { correctRows, type CorrectOptions, type Correction } from '../src/text/correct-rows.ts'
import { writeDialectCell } from '../src/text/delimited-record.ts'
import { parseDelimited } from '../src/text/parse-delimited.ts'
import { paddingComment } from '../src/text/preamble.ts'

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

async function correct(
  text: string,
  corrections: Record<number, Correction>,
  options: CorrectOptions,
) {
  const byLine = Object.entries(corrections).map(([line, each]) => [Number(line), each] as const)
  const corrected = await correctRows(new Blob([text]), new Map(byLine), options)
  return utf8.decode(await corrected.arrayBuffer())
}

test('a corrected cell changes its record, and nothing else of the file', async () => {
  const csv = '\ufeffname,weight,note\r\n"Smith, J",heavy,""\r\nAda,5,007\r\n'
  expect(await correct(csv, { 2: { weight: '12' } }, { format: 'csv' })).toBe(
    '\ufeffname,weight,note\r\n"Smith, J",12,""\nAda,5,007\r\n',
  )
  expect(await correct(csv, { 3: { note: 'a "b", c', weight: '' } }, { format: 'csv' })).toBe(
    '\ufeffname,weight,note\r\n"Smith, J",heavy,""\r\nAda,,"a ""b"", c"\n',
  )
  expect(await correct('a|b\n1|x', { 2: { b: '2' } }, { format: 'csv', delimiter: '|' })).toBe(
    'a|b\n1|2\n',
  )
  expect(await correct('a\tb\n1\tx\n', { 2: { b: '=2' } }, { format: 'tsv', guard: true })).toBe(
    "a\tb\n1\t'=2\n",
  )
})

test('rows keep their line numbers, also where a value had several lines', async () => {
  const csv = 'a,b\n"1\n2\n3",x\n4,y\n\n5,z\n'
  expect(
    await correct(csv, { 2: { a: '123' }, 5: { b: 'Y' }, 7: { b: 'Z' } }, { format: 'csv' }),
  ).toBe('a,b\n123,x\n\n\n4,Y\n\n5,Z\n')
  expect(await correct(csv, { 7: { b: 'Z' } }, { format: 'csv', isAlone: true })).toBe(
    'a,b\n\n\n\n\n\n5,Z\n',
  )
})

test('a record is written as its file is read', async () => {
  const cell = fc.option(
    fc.string({ unit: fc.constantFrom('a', '"', "'", ',', '\n', '\r', '\\', '#', ' ', 'NA') }),
    { nil: undefined },
  )
  const dialects = fc.record({
    quote: fc.constantFrom('"', "'"),
    escape: fc.constantFrom(undefined, '\\'),
    null: fc.constantFrom(undefined, 'NA'),
    comment: fc.constantFrom(undefined, '#'),
  })
  await fc.assert(
    fc.asyncProperty(fc.tuple(cell, cell), dialects, async ([first, second], dialect) => {
      const row = [dialect.null === undefined ? first : (first ?? null), second]
      const written = row.map((each) => writeDialectCell(each, { delimiter: ',', ...dialect }))
      const read: unknown[] = []
      const text = `${written.join(',')}\n`
      const { error } = parseDelimited(text, { delimiter: ',', ...dialect }, (cells) => {
        read.push(cells)
      })
      expect(error).toBeUndefined()
      expect(read).toEqual([row])
    }),
  )
})

test('a correction is written with the quote and escape characters of the file', async () => {
  const tsv = { format: 'tsv', quote: 'none' } as const
  const text = 'a\tb\n5" disk\tx\n'
  expect(await correct(text, { 2: { b: 'y' } }, tsv)).toBe('a\tb\n5" disk\ty\n')
  await expect(correct(text, { 2: { b: '1\t2' } }, tsv)).rejects.toThrow('on line 2 that needs')
  const escape = '\\'
  expect(await correct(text, { 2: { b: '1\t2\\\n3' } }, { ...tsv, escape })).toBe(
    'a\tb\n5" disk\t1\\\t2\\\\\\\n3\n',
  )
  expect(await correct('a,b\n1,2\n', { 2: { b: "it's, x" } }, { format: 'csv', quote: "'" })).toBe(
    "a,b\n1,'it''s, x'\n",
  )
})

test('a corrected file is in UTF-8, whatever it was in', async () => {
  const utf16 = new Blob([new Uint8Array(Buffer.from('\ufeffa,b\nKöln,x\n1,y\n', 'utf16le'))])
  const corrections = new Map([[3, { a: 'Zoë' }]])
  const options = { format: 'csv', encoding: 'utf-16le' } as const
  expect(await (await correctRows(utf16, corrections, options)).text()).toBe('a,b\nKöln,x\nZoë,y\n')
})

test('rows of one column keep their line numbers, and empty lines are rows', async () => {
  const text = 'v\rx\r\r"1\n2"\r\n3\n'
  expect(await correct(text, { 2: { v: '1' } }, { format: 'csv' })).toBe('v\r1\n\r"1\n2"\r\n3\n')
  expect(await correct(text, { 4: { v: '12' }, 6: { v: '4' } }, { format: 'csv' })).toBe(
    `v\rx\r\r12\n${paddingComment}\n4\n`,
  )
  expect(
    await correct(text, { 3: { v: '9' }, 6: { v: '4' } }, { format: 'csv', isAlone: true }),
  ).toBe(`v\r${paddingComment}\n9\n${`${paddingComment}\n`.repeat(2)}4\n`)
})

test('lines before the names, comments and quotes that mean nothing are counted', async () => {
  const text = 'About "it\nsep=;\n# c "\na;b\n1;x\n# d\n2;"y\n'
  const options = { format: 'csv', skip: 1, comment: '#', quote: 'none' } as const
  expect(await correct(text, { 7: { b: 'z' } }, options)).toBe(text.replace('"y', 'z'))
  expect(await correct(text, { 7: { b: 'z' } }, { ...options, isAlone: true })).toBe(
    'About "it\nsep=;\n# c "\na;b\n\n\n2;z\n',
  )
})

test('a corrected member changes its object, and numbers stay as they are written', async () => {
  const ndjson =
    '{"n":12345678901234567890,"w":"heavy"}\n\n{"by":{"lookup":{"name":"Adda"}},"w":1.50}'
  expect(await correct(ndjson, { 1: { w: '12' } }, { format: 'ndjson' })).toBe(
    `{"n":12345678901234567890,"w":"12"}\n\n{"by":{"lookup":{"name":"Adda"}},"w":1.50}`,
  )
  expect(
    await correct(ndjson, { 3: { by: 'Ada', w: '', j: { json: '[1]' } } }, { format: 'ndjson' }),
  ).toBe('{"n":12345678901234567890,"w":"heavy"}\n\n{"by":{"lookup":{"name":"Ada"}},"j":[1]}\n')
})

test('rows far into a file are found', async () => {
  const rows = Array.from({ length: 300_000 }, (_, index) => `${index},"é\n${index}"`)
  const csv = `a,b\n${rows.join('\n')}\n`
  const at = 2 + 2 * 250_000
  const corrected = await correct(csv, { [at]: { a: 'x' } }, { format: 'csv' })
  expect(corrected).toBe(csv.replace('\n250000,"', '\nx,"'))
})

test('a line that begins no row is refused', async () => {
  const refused = expect.objectContaining({ message: 'The file has no row on line 3' })
  await expect(correct('a\n"1\n2"\n', { 3: { a: '1' } }, { format: 'csv' })).rejects.toEqual(
    refused,
  )
  await expect(correct('a\n1\n', { 3: { a: '1' } }, { format: 'csv' })).rejects.toEqual(refused)
})
