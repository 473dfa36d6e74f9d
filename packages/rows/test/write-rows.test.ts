import { Readable } from 'node:stream'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { csv, parseDelimited, tsv } from '../src/text/parse-delimited.ts'
import { unguardCell } from '../src/text/delimited-record.ts'
import { cellFormat } from '../src/workbook/cell-format.ts'
import { parseXml } from '../src/workbook/parse-xml.ts'
import { SharedTexts } from '../src/workbook/shared-texts.ts'
import { type SheetRow, SheetCells } from '../src/workbook/sheet-cells.ts'
import { ShownValue } from '../src/workbook/shown-value.ts'
import { workbookStyles } from '../src/write/write-sheet.ts'
import type { Cell } from '../src/write/row-lists.ts'
import { columns, names, rows, shortest, textsOf, toText, write } from './written-rows.ts'

it('rows written as NDJSON are read back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      const lines = new TextDecoder('utf-8', { ignoreBOM: true })
        .decode(await write({ kind: 'ndjson' }, given))
        .split('\n')
      expect(lines.pop()).toBe('')
      const read = lines.map((line) => {
        const object = JSON.parse(line) as Record<string, unknown>
        return columns.map(({ name, kind }) => {
          const value = object[name]
          if (value === undefined) return null
          return kind === 'json' ? JSON.stringify(value) : toText(value)
        })
      })
      const wanted = textsOf(given).map((texts) =>
        texts.map((each, index) =>
          names[index] === 'json' && each !== null ? JSON.stringify(JSON.parse(each)) : each,
        ),
      )
      expect(read).toEqual(wanted)
    }),
  )
})

it('rows written as CSV or TSV are read back unchanged, with and without the guard', async () => {
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.constantFrom(csv, tsv),
      fc.boolean(),
      async (given, dialect, guard) => {
        const { delimiter } = dialect
        const file = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
          await write({ kind: 'delimited', delimiter, guard }, given),
        )
        const read: (string | null)[][] = []
        expect(file.startsWith('\ufeff')).toBe(guard)
        const text = guard ? file.slice(1) : file
        const { error } = parseDelimited(text, dialect, (cells) => {
          read.push(cells.map((cell) => cell ?? null))
        })
        expect(error).toBeUndefined()
        const [head, ...body] = read
        expect(head).toEqual(columns.map(({ name }) => name))
        const unguarded = body.map((cells) =>
          cells.map((cell) => (guard && cell !== null ? unguardCell(cell) : cell)),
        )
        expect(unguarded).toEqual(textsOf(given))
      },
    ),
  )
})

/** How the cells of each style of a written workbook are read. */
const formats = [...workbookStyles.split('<cellXfs')[1]!.matchAll(/<xf numFmtId="(\d+)"/g)].map(
  ([, id]) => {
    const text = new RegExp(`numFmtId="${id}" formatCode="([^"]+)"`).exec(workbookStyles)?.[1]
    return cellFormat({ id: Number(id), text, is1904: false })
  },
)

it('rows written as a worksheet are read back unchanged', async () => {
  const day = fc.constantFrom('1900-01-01', '1900-02-28', '1900-03-01', '0001-01-01', '9999-12-31')
  const dates: fc.Arbitrary<Cell[][]> = fc.array(
    day.map((date) => names.map((kind) => (kind === 'date' ? date : null))),
    { minLength: 1 },
  )
  await fc.assert(
    fc.asyncProperty(fc.oneof(rows, dates), async (given) => {
      const cells = new SheetCells({ formats, texts: new SharedTexts() })
      const read: SheetRow[] = []
      const file = await write({ kind: 'sheet' }, given)
      for await (const _ of parseXml(Readable.from([file]), cells)) read.push(...cells.take())
      const [head, ...body] = read
      expect(head!.values).toEqual(columns.map(({ name }) => name))
      const byLine = new Map(body.map(({ line, values }) => [line, values]))
      const texts = given.map((_, index) =>
        columns.map((_, column) => {
          const value = byLine.get(index + 2)?.[column]
          if (value === undefined) return null
          return toText(value instanceof ShownValue ? value.value : value)
        }),
      )
      expect(texts.map((each) => each.map(shortest))).toEqual(
        textsOf(given).map((each) => each.map(shortest)),
      )
    }),
  )
})
