import * as fc from 'fast-check'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { jsonLines } from '../src/text/json-lines.ts'
import { readRows } from '../src/read-rows.ts'

async function linesOf(text: string, length: number): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += length) yield bytes.slice(at, at + length)
  }
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for await (const chunk of jsonLines(pieces())) chunks.push(chunk)
  return new Blob(chunks).text()
}

async function read(content: string | Uint8Array<ArrayBuffer>) {
  const rows = []
  for await (const batch of readRows(new Blob([content]), { format: 'json' })) {
    for (const { line, values, problem } of batch.rows) rows.push([line, problem ?? values])
  }
  return rows
}

test(
  'each element of an array is a line, however the array is written and cut',
  { tags: 'long' },
  async () => {
    const space = fc.constantFrom(undefined, 2, '\t')
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue())),
        space,
        fc.integer({ min: 1, max: 9 }),
        async (rows, indent, length) => {
          const text = JSON.stringify(rows, undefined, indent)
          const lines = await linesOf(text, length)
          expect(new TextEncoder().encode(lines)).toHaveLength(
            new TextEncoder().encode(text).length,
          )
          const found = lines.split('\n').filter((line) => line.trim() !== '')
          expect(found.map((line) => JSON.parse(line) as unknown)).toEqual(JSON.parse(text))
        },
      ),
    )
  },
)

test('rows of an array are counted, and what is no object is none', async () => {
  expect(await read('\uFEFF [\n {"a": 1},\n {"a":\n [2, "],["]}, 3\n]\n')).toEqual([
    [1, [1]],
    [2, [[2, '],[']]],
    [3, 'is not a JSON object'],
  ])
  expect(await read('[]')).toEqual([])
  expect(await read(new Uint8Array(gzipSync('[{"a":"x"}]')))).toEqual([[1, ['x']]])
  // Many call NDJSON so.
  expect(await read('\n{"a":1}\n{"a":2}\n')).toEqual([
    [2, [1]],
    [3, [2]],
  ])
})

test.each([
  ['', 'is empty, and should be an array of JSON'],
  ['"x"', 'is no array of JSON objects'],
  ['[{"a":1},{', 'does not end: it breaks off in row 2'],
  ['[{"a":"x', 'does not end: it breaks off in row 1'],
  ['[{"a":1},]', 'has a comma and nothing before it or after it at row 2'],
  ['[,{"a":1}]', 'has a comma and nothing before it or after it at row 1'],
  ['[{"a":1}] x', 'has something after the end of its array'],
  ['[{"a":"x\ny"}]', 'has a line break in a text of row 1'],
  ['{"a":"\n', 'Row'],
])('%s is no array: %s', async (text, reason) => {
  if (reason === 'Row') expect(await read(text)).toEqual([[1, 'is not valid JSON']])
  else await expect(read(text)).rejects.toThrow(reason)
})
