import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { inferFile } from '../src/describe/infer-file.ts'
import type { TextFormat } from '../src/reading.ts'

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'))

async function infer(content: Uint8Array<ArrayBuffer>, format: TextFormat, isDetected = true) {
  const { inference, reading } = await inferFile(new Blob([content]), {
    format,
    isDetected,
    isTyped: true,
    onBatch: () => {},
  })
  const columns = await inference.infer()
  return { rows: inference.rows, reading, fields: columns.map(({ field }) => field) }
}

const fields = [
  { name: 'name', type: 'string', length: 10 },
  { name: 'n', type: 'integer' },
]

test.each([
  ['windows-1252', latin1('name,n\nKöln,5\n'), 'csv'],
  ['windows-1252', new Uint8Array(gzipSync(latin1('name,n\nKöln,5\n'))), 'csv'],
  ['utf-16le', utf16('\ufeffname\tn\r\nKöln\t5\r\n'), 'tsv'],
  ['utf-16le', utf16('{"name":"Köln","n":5}\n'), 'ndjson'],
  ['windows-1252', latin1('[{"name":"Köln","n":5}]'), 'json'],
] as const)(
  '%s is detected, and its columns are of their types',
  async (encoding, bytes, format) => {
    const found = await infer(bytes, format)
    expect(found).toMatchObject({ rows: 1, reading: { encoding }, fields })
    await expect(infer(bytes, format, false)).rejects.toThrow(/by its encoding/)
  },
)

test('a file without a readable row is refused with the problem of its first row', async () => {
  const text = new TextEncoder().encode('\n{"n":NaN}\n{"n":}\n')
  await expect(infer(text, 'ndjson')).rejects.toThrow(/^Line 2 is not valid JSON, it has no NaN/)
  await expect(infer(new TextEncoder().encode('[7]'), 'json')).rejects.toThrow(/^Row 1 /)
})

test('rows are read once more where the first that is not UTF-8 is far from the beginning', async () => {
  const rows = Array.from({ length: 300_000 }, (_, at) => `Berlin,${at}\n`)
  const found = await infer(latin1(`name,n\n${rows.join('')}Köln,5\n`), 'csv')
  expect(found).toMatchObject({ rows: 300_001, reading: { encoding: 'windows-1252' }, fields })
})
