import { openAsBlob } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileFormat } from '../src/file-format.ts'
import { inferFile } from '../src/describe/infer-file.ts'
import { readRows } from '../src/read-rows.ts'
import { UnreadableFile, type SourceRow } from '../src/row-batch.ts'
import { cellFormat } from '../src/workbook/cell-format.ts'
import { ShownValue, shownText } from '../src/workbook/shown-value.ts'

async function rowsOf(file: Blob): Promise<SourceRow[]> {
  const found: SourceRow[] = []
  for await (const { rows } of readRows(file, { format: 'xlsx' })) found.push(...rows)
  return found
}

const pathOf = (name: string) => join(import.meta.dirname, 'files', name)

test('fields are inferred from values, and texts from what is shown', async () => {
  const options = { format: 'xlsx', isDetected: true, isTyped: true, onBatch: () => {} } as const
  const { inference, reading } = await inferFile(
    await openAsBlob(pathOf('xlsxwriter.xlsx')),
    options,
  )
  expect(reading).toEqual({ sheet: 'Objects', skip: 2 })
  const optional = true
  expect((await inference.infer()).map(({ field }) => field)).toEqual([
    { name: 'inventory', type: 'integer' },
    { name: 'postcode', type: 'string', length: 10, optional },
    { name: 'count', type: 'integer', optional },
    { name: 'price', type: 'number', optional },
    { name: 'share', type: 'number', optional },
    { name: 'found', type: 'date', optional },
    { name: 'moment', type: 'timestamp', optional },
    { name: 'loan', type: 'boolean', optional },
    { name: 'note', type: 'string', length: 20, optional },
  ])
})

test('no format hides digits of an integer', () => {
  const shown = (text: string, written: string) =>
    shownText(cellFormat({ id: 164, text, is1904: false })(written))
  expect(shown('0', '4111111111111111')).toBe('4111111111111111')
  expect(shown('#,##0', '1546130668394913822')).toBe('1546130668394913822')
  expect(shown('#,##0', '123456789012345')).toBe('123,456,789,012,345')
  expect(shown('00000', '501')).toBe('00501')
})

test('hours that count on are durations, but where they are no number', () => {
  const format = cellFormat({ id: 164, text: '[h]:mm:ss', is1904: false })
  expect(format('1.5')).toEqual(new ShownValue('P1DT12H', '36:00:00'))
  for (const written of ['1e400', '1e300', 'x']) expect(format(written)).toBeDefined()
})

test('a formula without its result is told with its cell', async () => {
  const file = await openAsBlob(pathOf('unsaved-formula.xlsx'))
  expect(await rowsOf(file)).toMatchObject([
    { line: 2, problem: expect.stringContaining('has in B2 a formula') },
  ])
})

test('a workbook is told by its name or by its first entry', async () => {
  const made = join(import.meta.dirname, '../../cli/test/made-files')
  for (const program of ['gnumeric', 'libreoffice', 'openpyxl', 'pandas', 'polars', 'xlsxwriter']) {
    const head = new Uint8Array(await readFile(join(made, `${program}.xlsx`))).subarray(0, 512)
    expect(fileFormat('rows.csv', head), program).toEqual({ format: 'xlsx', isGzip: false })
  }
  const zip = new TextEncoder().encode('PK\x03\x04')
  expect(fileFormat('a.xlsx', zip).format).toBe('xlsx')
  expect(fileFormat('a.zip', zip).format).toBe('zip')
})

test('a damaged workbook is refused, or gives the same rows', async () => {
  for (const name of ['pandas.xlsx', 'other-generator.xlsx']) {
    const bytes = new Uint8Array(await readFile(pathOf(name)))
    const rows = await rowsOf(new Blob([bytes]))
    for (let at = 0; at < bytes.length; at += 7) {
      const damaged = bytes.slice()
      damaged[at] = damaged[at]! ^ (1 << (at % 8))
      try {
        expect(await rowsOf(new Blob([damaged])), `${name} ${at}`).toEqual(rows)
      } catch (error) {
        expect(error, `${name} ${at}`).toBeInstanceOf(UnreadableFile)
      }
    }
  }
})
