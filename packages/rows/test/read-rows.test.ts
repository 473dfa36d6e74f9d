import * as fc from 'fast-check'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { cutBlocks, endOfRecord } from '../src/text/cut-blocks.ts'
import { csv, isEmptyLine, parseDelimited, type Dialect } from '../src/text/parse-delimited.ts'
import { readDelimited, readHeader } from '../src/text/read-delimited.ts'
import type { Reading } from '../src/reading.ts'
import { UnreadableFile } from '../src/row-batch.ts'
import type { ReadBlock } from '../src/row-block.ts'
import { read } from './read-all.ts'

/** Reads CSV that comes in pieces of so many bytes, and is cut into blocks of about as many. */
async function readInBlocks(text: string, length: number, dialect = csv) {
  const bytes = new TextEncoder().encode(text)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += length) yield bytes.slice(at, at + length)
  }
  const sizes = { block: length, rowMax: 1000 }
  let names: string[] | undefined
  let line = 1
  const rows: unknown[] = []
  for await (let { content } of cutBlocks(pieces(), {
    findEnd: endOfRecord(dialect),
    start: 0,
    sizes,
  })) {
    const problem = ({ unreadable }: ReadBlock) =>
      unreadable && [`Line ${line + unreadable.line} ${unreadable.reason}`]
    if (names === undefined) {
      const header = readHeader(content, dialect)
      if (header.unreadable !== undefined) return { rows: problem(header) }
      names = header.names
      line += header.lines
      content = content.slice(header.bytes)
    }
    if (names === undefined) continue
    const found = readDelimited(
      content,
      { dialect, width: names.length },
      {
        row: (cells, at) => rows.push([line + at, cells]),
        malformed: (at, reason) => rows.push([line + at, reason]),
      },
    )
    if (found.unreadable !== undefined) return { rows: problem(found) }
    line += found.lines
  }
  return { names, rows }
}

test('CSV with every awkward character comes back, however it is cut', async () => {
  const cell = fc.oneof(
    fc.constant(undefined),
    fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', '\t', ' ', '😀', '') }),
  )
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width })))
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.boolean(),
      fc.integer({ min: 1, max: 9 }),
      async (rows, lineEnd, isWhole, pieceLength) => {
        const width = rows[0]?.length ?? 2
        // Nothing at the end of a file of one column is no row.
        const endsWithLine = isWhole || width === 1
        const names = Array.from({ length: width }, (_, index) => `c${index}`)
        const write = (cells: readonly (string | undefined)[]) =>
          cells
            .map((text) => (text === undefined ? '' : `"${text.replaceAll('"', '""')}"`))
            .join(',')
        const text = [names, ...rows].map(write).join(lineEnd) + (endsWithLine ? lineEnd : '')
        const found = await readInBlocks(text, pieceLength)
        expect(found.names).toEqual(names)
        expect(found.rows).toEqual(rows.map((cells) => [expect.any(Number), cells]))
      },
    ),
  )
})

test('files full of quotes are read alike in blocks of any size, and whole', async () => {
  const unit = fc.constantFrom('"', '"', ',', '\n', '\r', 'a', ' ', '\\')
  const text = fc.string({ unit, maxLength: 30 })
  const dialects = fc.constantFrom(csv, { ...csv, escape: '\\' }, { ...csv, null: 'a' })
  const atOnce = (whole: string, dialect: Dialect) => {
    let names: string[] | undefined
    const rows: unknown[] = []
    const { error } = parseDelimited(whole, dialect, (cells, line) => {
      if (isEmptyLine(cells) && names?.length !== 1) return
      if (names === undefined) names = cells.map((cell) => (cell === null ? 'a' : (cell ?? '')))
      else {
        const count = cells.length === 1 ? '1 cell' : `${cells.length} cells`
        const why = `has ${count}, and the first line has ${names.length}`
        rows.push([line + 1, cells.length === names.length ? cells : why])
      }
    })
    return error === undefined
      ? { names, rows }
      : { rows: [`Line ${error.line + 1} ${error.reason}`] }
  }
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.integer({ min: 1, max: 9 }),
      dialects,
      async (whole, length, dialect) => {
        expect(await readInBlocks(whole, length, dialect)).toEqual(atOnce(whole, dialect))
      },
    ),
    { numRuns: 5000 },
  )
})

test('NDJSON rows with a duplicate key, invalid JSON or too deep nesting are refused', async () => {
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

test('lines end in LF, CRLF or CR, outside of quotes', async () => {
  const { names, rows } = await read('a,b\r1,"x\ry"\r\r2,z\r\n3,\n4,w\r', 'csv')
  expect(names).toEqual(['a', 'b'])
  expect(rows).toEqual([
    { line: 2, values: ['1', 'x\ry'] },
    { line: 5, values: ['2', 'z'] },
    { line: 6, values: ['3', undefined] },
    { line: 7, values: ['4', 'w'] },
  ])
  const many = Array.from({ length: 200_000 }, (_, at) => `${at},"é"`)
  const found = await read(`a,b\r${many.join('\r')}\r`, 'csv')
  expect(found.rows.at(-1)).toEqual({ line: 200_001, values: ['199999', 'é'] })
  await expect(read(Uint8Array.of(0x61, 0x0d, 0x62, 0x0d, 0xff, 0x0d), 'csv')).rejects.toThrow(
    'Line 3 is not valid UTF-8',
  )
})

test('an empty line is a row where there is one column', async () => {
  expect((await read('\nv\n1\n\n3\n\n', 'csv')).rows).toEqual([
    { line: 3, values: ['1'] },
    { line: 4, values: [undefined] },
    { line: 5, values: ['3'] },
    { line: 6, values: [undefined] },
  ])
  expect((await read('v,w\n1,2\n\n3,4\n', 'csv')).rows).toHaveLength(2)
})

describe('separator lines, skipped lines and comments are not rows', () => {
  const rowsOf = async (text: string, reading: Reading = {}) => {
    const { names, rows } = await read(text, 'csv', reading)
    return [names, ...rows.map(({ values }) => values)]
  }

  test.each([
    ['sep=;\r\na;b\r\n1,5;2\r\n', {}],
    ['\ufeff"sep=;"\na;b\n1,5;2', {}],
    ['Exported "today\n\nsep=;\na;b\n1,5;2', { skip: 2 }],
    ['A title\rof "two lines\ra;b\r1,5;2', { skip: 2, delimiter: ';' }],
    ['# 5" long\na;b\n#;\n1,5;2\n# the "end', { comment: '#', delimiter: ';' }],
    ['// one\n\na;b\n// two\n1,5;2', { comment: '//', delimiter: ';' }],
  ])('in %j', async (text, reading) => {
    expect(await rowsOf(text, reading)).toEqual([
      ['a', 'b'],
      ['1,5', '2'],
    ])
  })

  test('but within quotes, or where nothing says so', async () => {
    expect(await rowsOf('a,b\n"x\n# y",2\n', { comment: '#' })).toEqual([
      ['a', 'b'],
      ['x\n# y', '2'],
    ])
    expect(await rowsOf('a,b\n#1,2\n')).toEqual([
      ['a', 'b'],
      ['#1', '2'],
    ])
    expect(await rowsOf('sep=;\na,b\n1,2\n', { delimiter: ',' })).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
    await expect(read('a\nb\n', 'csv', { skip: 3 })).rejects.toThrow('no more lines')
    await expect(read('x'.repeat(2 ** 21), 'csv', { skip: 1 })).rejects.toThrow('more than 1 MiB')
  })
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
  await expect(read('a,b\n1,"open\n', 'csv')).rejects.toThrow('Line 2 has a cell in quotes that')
  await expect(read('a\tb\n"1"x\t2\n', 'tsv')).rejects.toThrow('Line 2 has something between')
  await expect(read(Uint8Array.of(0x61, 0xff, 0x0a), 'csv')).rejects.toThrow(UnreadableFile)
  const rows = await read('a,b\n1,2,3\n', 'csv')
  expect(rows.rows[0]?.problem).toBe('has 3 cells, and the first line has 2')
})

test('files packed by gzip are read as what is in them', { tags: 'long' }, async () => {
  const lines = Array.from({ length: 30_000 }, (_, at) => `${at},"city, ${at}"`)
  const text = `id,name\n${lines.join('\n')}\n`
  const plain = await read(text, 'csv')
  expect(plain.rows).toHaveLength(lines.length)
  expect(await read(new Uint8Array(gzipSync(text)), 'csv')).toEqual(plain)
  // As `cat`, bgzip and Hadoop write them.
  const half = text.indexOf('\n15000,') + 1
  const members = [text.slice(0, half), '', text.slice(half)].map((each) => gzipSync(each))
  expect(await read(new Uint8Array(Buffer.concat(members)), 'csv')).toEqual(plain)
  const broken = new Uint8Array(gzipSync(text)).slice(0, 2000)
  await expect(read(broken, 'csv')).rejects.toThrow('cannot be unpacked')
  expect(await read(new Uint8Array(gzipSync('{"a":1}')), 'ndjson')).toEqual({
    names: ['a'],
    rows: [{ line: 1, values: [1] }],
  })
})
