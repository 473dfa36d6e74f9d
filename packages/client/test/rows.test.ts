import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { csv, parseDelimited } from '@vitrine/rows/parse-delimited'
import { createDelimitedReader } from '../src/rows/read-delimited.ts'
import { readRows, type TextFormat } from '../src/rows/read-rows.ts'
import { UnreadableFile } from '../../rows/src/row-batch.ts'

async function read(content: string | Uint8Array<ArrayBuffer>, format: TextFormat) {
  const rows = []
  let names: readonly string[] = []
  for await (const batch of readRows(new Blob([content]), format)) {
    names = batch.columns
    rows.push(...batch.rows)
  }
  return { names, rows }
}

test('CSV with every awkward character comes back, however it is cut', () => {
  const cell = fc.oneof(
    fc.constant(undefined),
    fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', '\t', ' ', '😀', '') }),
  )
  const table = fc
    .integer({ min: 2, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width })))
  fc.assert(
    fc.property(
      table,
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      fc.integer({ min: 1, max: 9 }),
      (rows, lineEnd, endsWithLine, pieceLength) => {
        const width = rows[0]?.length ?? 2
        const names = Array.from({ length: width }, (_, index) => `c${index}`)
        const write = (cells: readonly (string | undefined)[]) =>
          cells
            .map((text) => (text === undefined ? '' : `"${text.replaceAll('"', '""')}"`))
            .join(',')
        const text = [names, ...rows].map(write).join(lineEnd) + (endsWithLine ? lineEnd : '')
        const reader = createDelimitedReader(csv)
        const found = []
        for (let at = 0; at < text.length; at += pieceLength) {
          const isLast = at + pieceLength >= text.length
          found.push(...reader.read(text.slice(at, at + pieceLength), isLast))
        }
        expect(reader.columns).toEqual(names)
        expect(found.map(({ values }) => values)).toEqual(rows)
      },
    ),
  )
})

test('C7: files full of quotes are read alike in pieces, as here, and whole, as by the server', () => {
  const text = fc.string({ unit: fc.constantFrom('"', '"', ',', '\n', '\r', 'a'), maxLength: 30 })
  const inPieces = (whole: string, length: number) => {
    const reader = createDelimitedReader(csv)
    const found: unknown[] = []
    try {
      for (let at = 0; at === 0 || at < whole.length; at += length) {
        const isLast = at + length >= whole.length
        const rows = reader.read(whole.slice(at, at + length), isLast)
        found.push(...rows.map(({ line, values }) => [line, values]))
      }
    } catch (error) {
      return [(error as Error).message]
    }
    return [reader.columns, ...found]
  }
  const atOnce = (whole: string) => {
    const found: unknown[] = []
    const { error } = parseDelimited(whole, csv, (cells, line) => {
      const values = cells.map((cell) => cell ?? undefined)
      found.push(found.length === 0 ? cells.map((cell) => cell ?? '') : [line + 1, values])
    })
    if (error !== undefined) return [`Line ${error.line + 1}: ${error.reason}`]
    return found.length === 0 ? [[]] : found
  }
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (whole, length) => {
      expect(inPieces(whole, length)).toEqual(atOnce(whole))
    }),
    { numRuns: 5000 },
  )
})

test('B8: what is no row of NDJSON for the server is none here', async () => {
  const { rows } = await read(
    `{"a":1,"a":2}\n{"a":\n${'['.repeat(2000)}${']'.repeat(2000)}\n`,
    'ndjson',
  )
  expect(rows.map(({ problem }) => problem)).toEqual([
    'has the same key twice',
    'is not valid JSON',
    expect.stringMatching(/^nests deeper than/),
  ])
})

test('lines are those of the file', async () => {
  const { names, rows } = await read('\uFEFFa,b\n"x\ny",1\n\n2,3\r\nlast,', 'csv')
  expect(names).toEqual(['a', 'b'])
  expect(rows).toEqual([
    { line: 2, values: ['x\ny', '1'] },
    { line: 5, values: ['2', '3'] },
    { line: 6, values: ['last', undefined] },
  ])
})

test('NDJSON keeps numbers as they are and says which line is none', async () => {
  const { names, rows } = await read('{"a":1}\n\n[1]\n{"b":"x","a":null}', 'ndjson')
  expect(names).toEqual(['a', 'b'])
  expect(rows).toEqual([
    { line: 1, values: [1] },
    { line: 3, values: [], problem: 'is not a JSON object' },
    { line: 4, values: [null, 'x'] },
  ])
})

test('a file that cannot be read says why and where', async () => {
  await expect(read('a,b\n1,"open\n', 'csv')).rejects.toThrow('Line 2: a cell in quotes')
  await expect(read('a\tb\n"1"x\t2\n', 'tsv')).rejects.toThrow('Line 2: something stands')
  await expect(read(Uint8Array.of(0x61, 0xff, 0x0a), 'csv')).rejects.toThrow(UnreadableFile)
  const rows = await read('a,b\n1,2,3\n', 'csv')
  expect(rows.rows[0]?.problem).toBe('has 3 cells, and the first line has 2')
})
